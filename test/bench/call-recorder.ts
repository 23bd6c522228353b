import { keyOf } from '#infra/local/dynamodb-limits.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { LocalQueue } from '#infra/local/local-queue.ts'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Use } from '#infra/local/units.ts'
import type { Key, Write } from '#shared/platform/ports.ts'
import {
  type ItemUnits,
  isTransaction,
  unitsOfGet,
  unitsOfIndex,
  unitsOfWrite,
} from '#test/partitions/consumed-units.ts'
import { assumed } from './usage.ts'

/** One call of the table with its units. `checked` holds the keys of the items whose version a write checks. */
export interface RecordedCall {
  readonly operation: 'read' | 'write'
  readonly items: readonly ItemUnits[]
  readonly index: readonly ItemUnits[]
  readonly is_transaction: boolean
  readonly checked: readonly Key[]
}

/** Calls that run together. `elsewhere_ms` is the time of a call that leads outside of the platform. */
export interface Round {
  readonly calls: RecordedCall[]
  elsewhere_ms: number
}

/**
 * Records the calls of a platform in rounds, with the partition keys and the units of the table's calls. The ledger of
 * the sandbox acquirer counts as one call of an acquirer. The table is in memory.
 */
export class CallRecorder {
  #rounds: Round[] = []
  #read_units = 0
  #running = 0
  #ended = Promise.withResolvers<void>()

  /** Returns the rounds since the last `take`. */
  take(): Round[] {
    return this.#rounds.splice(0)
  }

  /** Records a call that leads outside of the platform. */
  elsewhere(elsewhere_ms: number): void {
    this.#rounds.push({ calls: [], elsewhere_ms })
  }

  around(platform: LocalPlatform): LocalPlatform {
    const { clock, stream, vault, queues } = platform
    const onUse = ({ read_units }: Use) => {
      this.#read_units = read_units
    }
    const table = new SqliteTable({ file: ':memory:', clock, onUse, onCommit: stream.committed })
    const queue = (inner: LocalQueue) =>
      replaced(inner, { send: (messages) => this.#passes(() => inner.send(messages)) })
    return {
      ...platform,
      table: replaced(table, this.#recordedCalls(table)),
      vault: {
        seal: (plain, context) => this.#passes(() => vault.seal(plain, context)),
        open: (sealed, context) => this.#passes(() => vault.open(sealed, context)),
      },
      queues: {
        deliveries: queue(queues.deliveries),
        captures: queue(queues.captures),
        chores: queue(queues.chores),
        clocks: queue(queues.clocks),
      },
    }
  }

  #recordedCalls(table: SqliteTable): Partial<SqliteTable> {
    const page = <T>(key: Key, read: () => Promise<T>) =>
      this.#records(key, async () => {
        const answer = await read()
        return [answer, readOf([{ key, units: this.#read_units }])]
      })
    return {
      get: (keys) =>
        this.#records(keys[0]!, async () => {
          const items = await table.get(keys)
          return [items, readOf(unitsOfGet(keys, items))]
        }),
      query: (range) =>
        page({ pk: range.pk, sk: (range.descending ? range.to : range.from) ?? '' }, () => table.query(range)),
      count: (range) => page({ pk: range.pk, sk: range.from ?? '' }, () => table.count(range)),
      write: (writes, options) =>
        this.#records(keyOf(writes[0]!), async () => {
          const before = await table.get(writes.map(keyOf))
          await table.write(writes, options)
          return [undefined, writeOf(writes, unitsOfWrite(writes, before), unitsOfIndex(writes, before))]
        }),
    }
  }

  #passes<T>(act: () => Promise<T>): Promise<T> {
    return this.#records({ pk: '', sk: '' }, async () => [await act(), undefined])
  }

  /** Records a call in the round of the calls that run at the same time. All calls of a round end together. */
  async #records<T>({ pk }: Key, act: () => Promise<[T, RecordedCall | undefined]>): Promise<T> {
    if (pk.startsWith('sandbox#')) return this.#asksAcquirer(act)
    if (this.#running++ === 0) {
      this.#rounds.push({ calls: [], elsewhere_ms: 0 })
      this.#ended = Promise.withResolvers<void>()
    }
    const [round, ended] = [this.#rounds.at(-1)!, this.#ended]
    // Calls that begin in the same turn of the event loop run together.
    await new Promise(setImmediate)
    try {
      const [answer, call] = await act()
      if (call) round.calls.push(call)
      return answer
    } finally {
      if (--this.#running === 0) ended.resolve()
      await ended.promise
    }
  }

  async #asksAcquirer<T>(act: () => Promise<[T, unknown]>): Promise<T> {
    if (this.#rounds.at(-1)?.elsewhere_ms !== assumed.acquirer_ms) this.elsewhere(assumed.acquirer_ms)
    const [answer] = await act()
    return answer
  }
}

const readOf = (items: readonly ItemUnits[]): RecordedCall => ({
  ...{ operation: 'read', items, index: [], is_transaction: false, checked: [] },
})

function writeOf(writes: readonly Write[], items: readonly ItemUnits[], index: readonly ItemUnits[]): RecordedCall {
  const checked = writes.filter(({ was }) => was !== undefined).map(keyOf)
  return { operation: 'write', items, index, is_transaction: isTransaction(writes), checked }
}

/** An object with some of its methods replaced. */
function replaced<T extends object>(inner: T, methods: Partial<T>): T {
  return new Proxy(inner, {
    get: (target, property) => {
      const value: unknown = Reflect.get(methods, property) ?? Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}
