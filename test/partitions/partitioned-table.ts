import { keyOf } from '#infra/local/dynamodb-limits.ts'
import {
  type Clock,
  type DueRange,
  type Item,
  type Key,
  PlatformUnavailable,
  type Range,
  type Table,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { MemoryDue } from '#test/simulation/memory-due.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'
import { type ItemUnits, isTransaction, unitsOfGet, unitsOfIndex, unitsOfWrite } from './consumed-units.ts'
import { positionOf } from './key-position.ts'
import type { Operation } from './partition.ts'
import { type Consumption, Partitions } from './partitions.ts'
import { assumed } from './published-limits.ts'

/** The answer to a call whose partition lacks capacity. The call was not executed. */
export class Throttled extends PlatformUnavailable {}

export interface PartitionedTableOptions {
  /** The clock of the model. Calls wait on it for as long as they take. */
  readonly clock: Clock
  readonly table?: Partitions
  readonly index?: Partitions
  /** How long a write takes. A transaction occupies its items for this time. */
  readonly write_ms?: number
}

/** A change of the due index that is not visible yet. */
interface IndexChange {
  readonly at: number
  readonly before: Item | undefined
  readonly after: Item | undefined
}

/** The most bytes of a page, as in DynamoDB. */
const PAGE_BYTES = 1 << 20

/**
 * The table in memory behind a model of DynamoDB's partitions. The rules are those of AWS's pages:
 * - throttling: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/throttling-key-range-limit-exceeded-mitigation.html
 * - back-pressure: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/gsi-throttling.html
 * - conflicts: https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 *
 * A call that a partition of the table cannot serve is throttled, and so is a write that a partition of the due index
 * cannot follow (back-pressure). A write conflicts with a transaction in progress on one of its items. A call that is
 * throttled or conflicts is assumed to consume nothing. The due index lags behind. A query is charged to the partition
 * where its range begins.
 */
export class PartitionedTable implements Table {
  readonly memory = new MemoryTable()
  readonly table: Partitions
  readonly index: Partitions
  readonly #clock: Clock
  readonly #write_ms: number
  readonly #occupied = new Set<string>()
  readonly #visible_due = new MemoryDue(PAGE_BYTES)
  readonly #changes: IndexChange[] = []

  constructor({ clock, table, index, write_ms = 0 }: PartitionedTableOptions) {
    this.#clock = clock
    this.#write_ms = write_ms
    this.table = table ?? new Partitions({ now: clock.now() })
    this.index = index ?? new Partitions({ now: clock.now() })
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    const items = await this.memory.get(keys)
    this.#charge('read', unitsOfGet(keys, items))
    return items
  }

  async query(range: Range): Promise<{ items: Item[]; next?: string }> {
    return this.#read(range, () => this.memory.query(range))
  }

  async count(range: Range): Promise<{ count: number; next?: string }> {
    return this.#read(range, () => this.memory.count(range))
  }

  async due(range: DueRange) {
    this.#showChanges()
    const { bytes, ...page } = this.#visible_due.page(range)
    const units = Math.max(1, Math.ceil(bytes / 4096)) / 2
    this.#charge('read', [{ key: { pk: range.shard, sk: range.after }, units }], this.index)
    return page
  }

  async write(writes: readonly Write[], { latest = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    if (this.#clock.now() > latest) throw new WriteConflict([])
    const names = writes.map(nameOf)
    if (names.some((name) => this.#occupied.has(name))) throw new WriteConflict([])
    const before = writes.map((write) => this.memory.at(keyOf(write)))
    const [own, followed] = [unitsOfWrite(writes, before), unitsOfIndex(writes, before)]
    this.#serve('write', own, this.table)
    this.#serve('write', followed, this.index)
    this.#consume('write', own, this.table)
    this.#consume('write', followed, this.index)
    const occupied = isTransaction(writes) ? names : []
    for (const name of occupied) this.#occupied.add(name)
    try {
      if (this.#write_ms > 0) await this.#clock.wait(this.#write_ms)
      await this.#commit(writes)
    } finally {
      for (const name of occupied) this.#occupied.delete(name)
    }
  }

  async #commit(writes: readonly Write[]): Promise<void> {
    const before = writes.map((write) => this.memory.at(keyOf(write)))
    await this.memory.write(writes)
    for (const [index, write] of writes.entries())
      if (!('check' in write))
        this.#changes.push({
          at: this.#clock.now(),
          before: before[index],
          after: 'put' in write ? write.put : undefined,
        })
  }

  async #read<T>(range: Range, read: () => Promise<T>): Promise<T> {
    const units_before = this.memory.read_units
    const page = read()
    const units = this.memory.read_units - units_before
    const sk = range.after ?? (range.descending ? range.to : range.from) ?? ''
    this.#charge('read', [{ key: { pk: range.pk, sk }, units }])
    return page
  }

  #charge(operation: Operation, items: readonly ItemUnits[], partitions = this.table): void {
    this.#serve(operation, items, partitions)
    this.#consume(operation, items, partitions)
  }

  #serve(operation: Operation, items: readonly ItemUnits[], partitions: Partitions): void {
    if (!partitions.serve(operation, items.map(consumptionOf), this.#clock.now())) throw new Throttled('throttled')
  }

  #consume(operation: Operation, items: readonly ItemUnits[], partitions: Partitions): void {
    partitions.consume(operation, items.map(consumptionOf), this.#clock.now())
  }

  #showChanges(): void {
    const until = this.#clock.now() - assumed.index_lag_ms.value
    while (this.#changes.length > 0 && this.#changes[0]!.at <= until) {
      const { before, after } = this.#changes.shift()!
      this.#visible_due.change(before, after)
    }
  }
}

const consumptionOf = ({ key, units }: ItemUnits): Consumption => ({ position: positionOf(key), units })

function nameOf(write: Write): string {
  const { pk, sk } = keyOf(write)
  return `${pk}|${sk}`
}
