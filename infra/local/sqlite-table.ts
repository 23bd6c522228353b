import type { SQLInputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Clock, DueRange, Item, Key, Range, ScanRange, WholeTable, Write } from '#shared/platform/ports.ts'
import { checkGet, checkRange } from './dynamodb-limits.ts'
import { GroupCommit } from './group-commit.ts'
import { SqliteConnection, type SqliteConnectionOptions } from './sqlite-connection.ts'
import { dueKeyOf, EARLIEST, EARLIEST_NOT_SKIPPED, parse, type Row, take } from './sqlite-rows.ts'
import { indexRowSize, readUnits, type Use } from './units.ts'

/** An upper bound above every key: SQLite sorts every blob after every text. */
const HIGHEST = new Uint8Array()

export interface SqliteTableOptions extends SqliteConnectionOptions {
  readonly clock: Clock
  /** Called for each call of the table with the units that DynamoDB would consume. */
  readonly onUse?: (use: Use) => void
  /** Called with the writes of every committed transaction. */
  readonly onCommit?: (writes: readonly Write[]) => void
}

/**
 * The table in one SQLite file. What a call has written or read is durable when its promise settles. The table throws
 * for calls that DynamoDB would reject. One process at a time may serve from a file: the constructor throws if another
 * process does.
 */
export class SqliteTable implements WholeTable {
  readonly #connection: SqliteConnection
  readonly #commits: GroupCommit
  readonly #onUse: (use: Use) => void
  readonly #onCommit: (writes: readonly Write[]) => void
  #isSkipped: (key: Key) => boolean = () => false

  constructor({ clock, onUse = () => {}, onCommit = () => {}, ...options }: SqliteTableOptions) {
    this.#onUse = onUse
    this.#onCommit = onCommit
    this.#connection = new SqliteConnection(options)
    this.#connection.defineCondition('is_skipped', (pk, sk) => this.#isSkipped({ pk, sk } as Key))
    this.#commits = new GroupCommit(this.#connection, clock, onUse)
  }

  /** The path of the file. */
  get file(): string {
    return this.#connection.file
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkGet(keys)
    const rows = keys.map(({ pk, sk }) =>
      this.#connection.row('SELECT size, item FROM items WHERE pk = ? AND sk = ?', pk, sk),
    )
    const read_units = rows.reduce((units, row) => units + readUnits((row?.size as number) ?? 0), 0)
    this.#onUse({ operation: 'get', read_units, write_units: 0, items: keys.length })
    await this.#connection.durable()
    return rows.map((row) => row && parse(row))
  }

  async query(range: Range): Promise<{ items: Item[]; next?: string }> {
    const { rows, next } = this.#page('query', 'sk, size, item', range)
    await this.#connection.durable()
    return { items: rows.map(parse), ...next }
  }

  async count(range: Range): Promise<{ count: number; next?: string }> {
    const { rows, next } = this.#page('count', 'sk, size', range)
    await this.#connection.durable()
    return { count: rows.length, ...next }
  }

  async write(writes: readonly Write[], { latest = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    await this.#commits.write(writes, latest)
    // The commit can run in the async context of another writer. Here, the hook runs in the context of this write.
    this.#onCommit(writes)
  }

  async due({ shard, after, until, limit = Number.POSITIVE_INFINITY, next }: DueRange) {
    const begin: SQLInputValue[] = next === undefined ? [after, HIGHEST, HIGHEST] : JSON.parse(next)
    const sql = `SELECT pk, sk, due_at FROM items
      WHERE due_shard = ? AND (due_at, pk, sk) > (?, ?, ?) AND due_at <= ? ORDER BY due_at, pk, sk`
    const sizeOf = (row: Row) => indexRowSize({ ...dueKeyOf(row), due_shard: shard })
    const { rows, bytes, full } = this.#connection.tried(() =>
      take(this.#connection.statement(sql).iterate(shard, ...begin, until), limit, sizeOf),
    )
    // Requests get a turn while a sweep reads all shards.
    await nextTurn()
    await this.#connection.durable()
    this.#onUse({ operation: 'due', read_units: readUnits(bytes) / 2, write_units: 0, items: rows.length })
    const keys = rows.map(dueKeyOf)
    const last = keys.at(-1)
    return { keys, ...(full && last && { next: JSON.stringify([last.due_at, last.pk, last.sk]) }) }
  }

  /**
   * Returns the earliest `due_at` of all shards, strictly after `after` if given, among the keys for which
   * `isSkipped` returns false; undefined if there is none.
   */
  earliestDue(after = '', isSkipped?: (key: Key) => boolean): string | undefined {
    this.#isSkipped = isSkipped ?? (() => false)
    const row = this.#connection.row(isSkipped ? EARLIEST_NOT_SKIPPED : EARLIEST, after)
    return (row?.due_at as string | null) ?? undefined
  }

  /** Deletes the items whose `ttl` has passed, as DynamoDB does with some delay, and returns their number. */
  purgeExpired(now_seconds: number): number {
    return this.#connection.run('DELETE FROM items WHERE ttl < ?', now_seconds)
  }

  /** Returns the items whose `ttl` is in a range of epoch seconds, both ends inclusive. */
  withTtlIn({ from, to }: { readonly from: number; readonly to: number }): Item[] {
    const sql = 'SELECT item FROM items WHERE ttl BETWEEN ? AND ?'
    return this.#connection.tried(() => [...this.#connection.statement(sql).iterate(from, to)]).map(parse)
  }

  async scan({ pk_prefix = '', after }: ScanRange): Promise<{ items: Item[]; next?: string }> {
    const begin: SQLInputValue[] = after === undefined ? [pk_prefix, ''] : JSON.parse(after)
    const sql = 'SELECT pk, sk, size, item FROM items WHERE (pk, sk) > (?, ?) AND pk <= ? ORDER BY pk, sk'
    const end = pk_prefix ? `${pk_prefix}\u{10FFFF}` : HIGHEST
    const { rows, bytes, full } = this.#connection.tried(() =>
      take(
        this.#connection.statement(sql).iterate(...begin, end),
        Number.POSITIVE_INFINITY,
        ({ size }) => size as number,
      ),
    )
    await this.#connection.durable()
    this.#onUse({ operation: 'scan', read_units: readUnits(bytes), write_units: 0, items: rows.length })
    const last = rows.at(-1)
    return { items: rows.map(parse), ...(full && last && { next: JSON.stringify([last.pk, last.sk]) }) }
  }

  /** Copies everything that is committed by now to a new file, even while another process serves from this one. */
  copyTo(file: string): void {
    this.#connection.copyTo(file)
  }

  /** Iterates over all items of the table in key order. */
  *items(): Generator<Item> {
    const rows = this.#connection.tried(() =>
      this.#connection.ownStatement('SELECT item FROM items ORDER BY pk, sk').iterate(),
    )
    try {
      for (const row of rows) yield parse(row)
    } catch (error) {
      throw this.#connection.unavailable(error)
    }
  }

  /** Returns the check value of the vault key that seals the data; undefined until one is stored. */
  vaultKeyCheck(): string | undefined {
    return this.#connection.row('SELECT check_value FROM vault_key')?.check_value as string | undefined
  }

  /** Stores a check value in the table's file, so that every copy of the file contains it. */
  storeVaultKeyCheck(value: string): void {
    this.#connection.run('INSERT INTO vault_key VALUES (?)', value)
  }

  /** Commits the waiting transactions, closes the file and releases its lock. */
  close(): void {
    this.#commits.flush()
    this.#connection.close()
  }

  #page(operation: 'query' | 'count', columns: string, range: Range) {
    checkRange(range)
    const { pk, from = '', to = HIGHEST, after, descending = false, limit = Number.POSITIVE_INFINITY } = range
    const lower = after === undefined || descending ? 'sk >= ?' : 'sk > ?'
    const upper = after === undefined || !descending ? 'sk <= ?' : 'sk < ?'
    const bounds = after === undefined ? [from, to] : descending ? [from, after] : [after, to]
    const sql = `SELECT ${columns} FROM items WHERE pk = ? AND ${lower} AND ${upper} ORDER BY sk ${descending ? 'DESC' : 'ASC'}`
    const { rows, bytes, full } = this.#connection.tried(() =>
      take(this.#connection.statement(sql).iterate(pk, ...bounds), limit, ({ size }) => size as number),
    )
    this.#onUse({ operation, read_units: readUnits(bytes), write_units: 0, items: rows.length })
    return { rows, next: full ? { next: rows.at(-1)!.sk as string } : {} }
  }
}
