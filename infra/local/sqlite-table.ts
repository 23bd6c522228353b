import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import {
  type Clock,
  type DueRange,
  type Item,
  type Key,
  PlatformUnavailable,
  type Range,
  type ScanRange,
  type WholeTable,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { checkGet, checkRange, checkTransaction, keyOf } from './dynamodb-limits.ts'
import { isFromSqlite, sqliteError } from './sqlite-error.ts'
import { lockOf, openDatabase } from './sqlite-file.ts'
import {
  type Before,
  dueKeyOf,
  EARLIEST,
  EARLIEST_KEPT,
  isSo,
  PUT,
  type Put,
  parse,
  putOf,
  type Row,
  take,
  unitsOf,
} from './sqlite-rows.ts'
import { type Disk, SyncedFile } from './synced-file.ts'
import { indexRowSize, readUnits, type Use } from './units.ts'

/** An upper bound above every key: SQLite sorts every blob after every text. */
const HIGHEST = new Uint8Array()

export interface SqliteTableOptions {
  /** The path of the file that stores the data. With `:memory:`, nothing is stored on disk. */
  readonly file: string
  readonly clock: Clock
  /** Called for each call of the table with the units that DynamoDB would consume. */
  readonly onUse?: (use: Use) => void
  /** Called with the writes of every committed transaction. */
  readonly onCommit?: (writes: readonly Write[]) => void
  /** Opens the file without the lock, for an operator's command while another process serves from the file. */
  readonly beside?: boolean
  /** Syncs commits to the disk. The default is `fdatasync`. */
  readonly disk?: Disk
}

interface Transaction {
  readonly writes: readonly Write[]
  /** The row of each put, built at the call, so that the caller may change its objects afterwards. */
  readonly puts: readonly (Put | undefined)[]
  readonly latest: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * The table in one SQLite file. What a call has written or read is durable when its promise settles. The table throws
 * for calls that DynamoDB would reject. One process at a time may serve from a file: the constructor throws if another
 * process does.
 */
export class SqliteTable implements WholeTable {
  /** The path of the file. */
  readonly file: string
  readonly #database: DatabaseSync
  readonly #lock: DatabaseSync | undefined
  /** SQLite's write-ahead log, which receives every commit first. A table in memory has none. */
  readonly #log: SyncedFile | undefined
  readonly #clock: Clock
  readonly #onUse: (use: Use) => void
  readonly #onCommit: (writes: readonly Write[]) => void
  readonly #prepared = new Map<string, StatementSync>()
  #waiting: Transaction[] = []
  #skipped: (key: Key) => boolean = () => false

  constructor({ file, clock, onUse = () => {}, onCommit = () => {}, beside = false, disk }: SqliteTableOptions) {
    this.#clock = clock
    this.#onUse = onUse
    this.#onCommit = onCommit
    this.file = file
    const is_kept = file !== ':memory:'
    this.#lock = is_kept && !beside ? lockOf(file) : undefined
    try {
      this.#database = openDatabase(file)
      this.#database.function('is_skipped', (pk, sk) => Number(this.#skipped({ pk, sk } as Key)))
      this.#log = is_kept ? new SyncedFile(`${file}-wal`, disk) : undefined
    } catch (error) {
      this.#lock?.close()
      throw error
    }
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkGet(keys)
    const rows = this.#tried(() =>
      keys.map(({ pk, sk }) => this.#statement('SELECT size, item FROM items WHERE pk = ? AND sk = ?').get(pk, sk)),
    )
    const read_units = rows.reduce((units, row) => units + readUnits((row?.size as number) ?? 0), 0)
    this.#onUse({ operation: 'get', read_units, write_units: 0, items: keys.length })
    await this.#durable()
    return rows.map((row) => row && parse(row))
  }

  async query(range: Range): Promise<{ items: Item[]; next?: string }> {
    const { rows, next } = this.#page('query', 'sk, size, item', range)
    await this.#durable()
    return { items: rows.map(parse), ...next }
  }

  async count(range: Range): Promise<{ count: number; next?: string }> {
    const { rows, next } = this.#page('count', 'sk, size', range)
    await this.#durable()
    return { count: rows.length, ...next }
  }

  async write(writes: readonly Write[], { latest = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    const puts = writes.map((write) => ('put' in write ? putOf(write.put) : undefined))
    checkTransaction(
      writes,
      puts.reduce((bytes, put) => bytes + (put?.size ?? 0), 0),
    )
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ writes, puts, latest, resolve, reject })
      // All writes of this turn of the event loop share one commit, and so one wait for the disk.
      if (this.#waiting.length === 1) setImmediate(() => this.#flush())
    })
    // `#flush` can run in the async context of another writer. Here, the hook runs in the context of this write.
    this.#onCommit(writes)
  }

  async due({ shard, after, until, limit = Number.POSITIVE_INFINITY, next }: DueRange) {
    const begin: SQLInputValue[] = next === undefined ? [after, HIGHEST, HIGHEST] : JSON.parse(next)
    const sql = `SELECT pk, sk, due_at FROM items
      WHERE due_shard = ? AND (due_at, pk, sk) > (?, ?, ?) AND due_at <= ? ORDER BY due_at, pk, sk`
    const sizeOf = (row: Row) => indexRowSize({ ...dueKeyOf(row), due_shard: shard })
    const { rows, bytes, full } = this.#tried(() =>
      take(this.#statement(sql).iterate(shard, ...begin, until), limit, sizeOf),
    )
    // Requests get a turn while a sweep reads all shards.
    await nextTurn()
    await this.#durable()
    this.#onUse({ operation: 'due', read_units: readUnits(bytes) / 2, write_units: 0, items: rows.length })
    const keys = rows.map(dueKeyOf)
    const last = keys.at(-1)
    return { keys, ...(full && last && { next: JSON.stringify([last.due_at, last.pk, last.sk]) }) }
  }

  /**
   * Returns the earliest `due_at` of all shards, strictly after `after` if given, among the keys that are not
   * `skipped`; undefined if there is none.
   */
  earliestDue(after = '', skipped?: (key: Key) => boolean): string | undefined {
    this.#skipped = skipped ?? (() => false)
    const statement = this.#statement(skipped ? EARLIEST_KEPT : EARLIEST)
    return (this.#tried(() => statement.get(after))?.due_at as string | null) ?? undefined
  }

  /** Deletes the items whose `ttl` has passed, as DynamoDB does with some delay, and returns their number. */
  purgeExpired(now_seconds: number): number {
    return this.#tried(() => Number(this.#statement('DELETE FROM items WHERE ttl < ?').run(now_seconds).changes))
  }

  async scan({ pk_prefix = '', after }: ScanRange): Promise<{ items: Item[]; next?: string }> {
    const begin: SQLInputValue[] = after === undefined ? [pk_prefix, ''] : JSON.parse(after)
    const sql = 'SELECT pk, sk, size, item FROM items WHERE (pk, sk) > (?, ?) AND pk <= ? ORDER BY pk, sk'
    const end = pk_prefix ? `${pk_prefix}\u{10FFFF}` : HIGHEST
    const { rows, bytes, full } = this.#tried(() =>
      take(this.#statement(sql).iterate(...begin, end), Number.POSITIVE_INFINITY, ({ size }) => size as number),
    )
    await this.#durable()
    this.#onUse({ operation: 'scan', read_units: readUnits(bytes), write_units: 0, items: rows.length })
    const last = rows.at(-1)
    return { items: rows.map(parse), ...(full && last && { next: JSON.stringify([last.pk, last.sk]) }) }
  }

  /** Copies everything that is committed by now to a new file, even while another process serves from this one. */
  copyTo(file: string): void {
    try {
      this.#database.prepare('VACUUM INTO ?').run(file)
    } catch (error) {
      throw new Error(`${this.file} cannot be copied to ${file} (${(error as Error).message}).`, { cause: error })
    }
  }

  /** Iterates over all items of the table in key order. */
  *items(): Generator<Item> {
    const rows = this.#tried(() => this.#database.prepare('SELECT item FROM items ORDER BY pk, sk').iterate())
    try {
      for (const row of rows) yield parse(row)
    } catch (error) {
      throw this.#unavailable(error)
    }
  }

  /** Returns the check value of the vault key that seals the data; undefined until one is stored. */
  vaultKeyCheck(): string | undefined {
    return this.#tried(
      () => this.#statement('SELECT check_value FROM vault_key').get()?.check_value as string | undefined,
    )
  }

  /** Stores a check value in the table's file, so that every copy of the file contains it. */
  keepVaultKeyCheck(value: string): void {
    this.#tried(() => this.#statement('INSERT INTO vault_key VALUES (?)').run(value))
  }

  /** Commits the waiting transactions, closes the file and releases its lock. */
  close(): void {
    this.#flush()
    this.#log?.close()
    this.#database.close()
    this.#lock?.close()
  }

  #page(operation: 'query' | 'count', columns: string, range: Range) {
    checkRange(range)
    const { pk, from = '', to = HIGHEST, after, descending = false, limit = Number.POSITIVE_INFINITY } = range
    const lower = after === undefined || descending ? 'sk >= ?' : 'sk > ?'
    const upper = after === undefined || !descending ? 'sk <= ?' : 'sk < ?'
    const bounds = after === undefined ? [from, to] : descending ? [from, after] : [after, to]
    const sql = `SELECT ${columns} FROM items WHERE pk = ? AND ${lower} AND ${upper} ORDER BY sk ${descending ? 'DESC' : 'ASC'}`
    const { rows, bytes, full } = this.#tried(() =>
      take(this.#statement(sql).iterate(pk, ...bounds), limit, ({ size }) => size as number),
    )
    this.#onUse({ operation, read_units: readUnits(bytes), write_units: 0, items: rows.length })
    return { rows, next: full ? { next: rows.at(-1)!.sk as string } : {} }
  }

  #flush(): void {
    const batch = this.#waiting
    this.#waiting = []
    if (batch.length === 0) return
    const settle: (() => void)[] = []
    try {
      this.#statement('BEGIN IMMEDIATE').run()
      for (const transaction of batch) settle.push(this.#apply(transaction))
      this.#statement('COMMIT').run()
    } catch (error) {
      for (const { reject } of batch) reject(this.#unavailable(error))
      if (this.#database.isTransaction) this.#statement('ROLLBACK').run()
      return
    }
    const settled = () => {
      for (const done of settle) done()
    }
    this.#durable(this.#log?.sync()).then(settled, (error) => {
      for (const { reject } of batch) reject(error)
    })
  }

  /**
   * Settles once all commits are on the disk, so that no response reports what a power failure could still undo. Throws
   * `PlatformUnavailable` if the disk failed.
   */
  async #durable(wait = this.#log?.settled()): Promise<void> {
    try {
      await wait
    } catch (cause) {
      throw new PlatformUnavailable(`the disk did not take what was written: ${(cause as Error).message}`, { cause })
    }
  }

  /**
   * Checks all conditions before the first write, so a rejected transaction does not affect the others of its commit.
   */
  #apply({ writes, puts, latest, resolve, reject }: Transaction): () => void {
    const state = this.#statement('SELECT version, size, due_shard, due_at FROM items WHERE pk = ? AND sk = ?')
    const before = writes.map((write) => {
      const { pk, sk } = keyOf(write)
      return state.get(pk, sk) as Before | undefined
    })
    if (this.#clock.now() > latest) return () => reject(new WriteConflict([]))
    this.#onUse({ operation: 'write', read_units: 0, write_units: unitsOf(writes, puts, before), items: writes.length })
    const lost = writes.flatMap(({ was }, index) => (isSo(was, before[index]) ? [] : [index]))
    if (lost.length > 0) return () => reject(new WriteConflict(lost))
    for (const [index, write] of writes.entries()) {
      if ('put' in write) this.#statement(PUT).run(...puts[index]!.row)
      else if ('delete' in write)
        this.#statement('DELETE FROM items WHERE pk = ? AND sk = ?').run(write.delete.pk, write.delete.sk)
    }
    return resolve
  }

  #statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.#database.prepare(sql)
    this.#prepared.set(sql, statement)
    return statement
  }

  #tried<T>(call: () => T): T {
    try {
      return call()
    } catch (error) {
      throw this.#unavailable(error)
    }
  }

  /**
   * Returns an error of SQLite (full disk, unreadable file) as `PlatformUnavailable`. Any other error is a defect of
   * ours and is returned unchanged.
   */
  #unavailable(error: unknown): Error {
    if (!isFromSqlite(error)) return error as Error
    return new PlatformUnavailable(sqliteError(this.file, error).message, { cause: error })
  }
}
