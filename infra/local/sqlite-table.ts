import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'
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
import { itemSize } from './item-size.ts'
import { indexRowSize, indexUnits, readUnits, type Use, writeUnits } from './units.ts'

const PAGE_BYTES_MAX = 1024 * 1024

/** SQLite sorts every blob behind every text, so this is an upper bound that no key reaches. */
const HIGHEST = new Uint8Array()

/** Rows stand in the order they come in: kept in key order, items of some KB take twice the room and a third more time. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS items (
    pk TEXT NOT NULL, sk TEXT NOT NULL, version INTEGER NOT NULL, size INTEGER NOT NULL,
    due_shard TEXT, due_at TEXT, ttl INTEGER, item TEXT NOT NULL,
    PRIMARY KEY (pk, sk)
  );
  CREATE INDEX IF NOT EXISTS due ON items (due_shard, due_at, pk, sk) WHERE due_shard IS NOT NULL;
  CREATE INDEX IF NOT EXISTS expiring ON items (ttl) WHERE ttl IS NOT NULL;
`

const PUT = `
  INSERT INTO items (pk, sk, version, size, due_shard, due_at, ttl, item) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
  ON CONFLICT (pk, sk) DO UPDATE SET version = excluded.version, size = excluded.size, due_shard = excluded.due_shard,
    due_at = excluded.due_at, ttl = excluded.ttl, item = excluded.item
`

/** One seek for each shard that holds anything, however many items are due. */
const EARLIEST = `
  WITH RECURSIVE shards (shard) AS (
    SELECT (SELECT min(due_shard) FROM items WHERE due_shard IS NOT NULL)
    UNION ALL
    SELECT (SELECT min(due_shard) FROM items WHERE due_shard > shard) FROM shards WHERE shard IS NOT NULL
  )
  SELECT min((SELECT min(due_at) FROM items WHERE due_shard = shard AND due_at > ?)) AS due_at FROM shards
`

export interface SqliteTableOptions {
  /** Where the data is kept; `:memory:` keeps none. */
  readonly file: string
  readonly clock: Clock
  /** Told after every call what DynamoDB would have consumed for it. */
  readonly onUse?: (use: Use) => void
  /** Told of every transaction that was committed. */
  readonly onCommit?: (writes: readonly Write[]) => void
  /** Opens a file that another process may be serving from: an operator's look, beside the one process that may serve. */
  readonly beside?: boolean
}

interface Transaction {
  readonly writes: readonly Write[]
  /** What each put will write, made when the call is made, so that the caller may go on with its objects. */
  readonly puts: readonly (Put | undefined)[]
  readonly latest: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

interface Put {
  readonly size: number
  readonly row: SQLInputValue[]
}

interface Before {
  readonly version: number
  readonly size: number
  readonly due_shard: string | null
  readonly due_at: string | null
}

/**
 * The table in one SQLite file, durable when a promise settles. It refuses what DynamoDB refuses. One process at a time
 * may serve from a file: the constructor throws when another one does.
 */
export class SqliteTable implements WholeTable {
  readonly #database: DatabaseSync
  readonly #lock: DatabaseSync | undefined
  readonly #clock: Clock
  readonly #onUse: (use: Use) => void
  readonly #onCommit: (writes: readonly Write[]) => void
  readonly #prepared = new Map<string, StatementSync>()
  #waiting: Transaction[] = []

  constructor({ file, clock, onUse = () => {}, onCommit = () => {}, beside = false }: SqliteTableOptions) {
    this.#clock = clock
    this.#onUse = onUse
    this.#onCommit = onCommit
    this.#lock = beside || file === ':memory:' ? undefined : lockOf(file)
    this.#database = openDatabase(file)
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    checkGet(keys)
    const rows = this.#tried(() =>
      keys.map(({ pk, sk }) => this.#statement('SELECT size, item FROM items WHERE pk = ? AND sk = ?').get(pk, sk)),
    )
    const read_units = rows.reduce((units, row) => units + readUnits((row?.size as number) ?? 0), 0)
    this.#onUse({ operation: 'get', read_units, write_units: 0, items: keys.length })
    return rows.map((row) => row && parse(row))
  }

  async query(range: Range): Promise<{ items: Item[]; next?: string }> {
    const { rows, next } = this.#page('query', 'sk, size, item', range)
    return { items: rows.map(parse), ...next }
  }

  async count(range: Range): Promise<{ count: number; next?: string }> {
    const { rows, next } = this.#page('count', 'sk, size', range)
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
      // Whatever is written in this turn of the event loop shares one commit, hence one wait for the disk.
      if (this.#waiting.length === 1) setImmediate(() => this.#flush())
    })
  }

  async due({ shard, after, until, limit = Number.POSITIVE_INFINITY, next }: DueRange) {
    const begin: SQLInputValue[] = next === undefined ? [after, HIGHEST, HIGHEST] : JSON.parse(next)
    const sql = `SELECT pk, sk, due_at FROM items
      WHERE due_shard = ? AND (due_at, pk, sk) > (?, ?, ?) AND due_at <= ? ORDER BY due_at, pk, sk`
    const sizeOf = (row: Row) => indexRowSize({ ...(row as unknown as DueKey), due_shard: shard })
    const { rows, bytes, full } = this.#tried(() =>
      take(this.#statement(sql).iterate(shard, ...begin, until), limit, sizeOf),
    )
    this.#onUse({ operation: 'due', read_units: readUnits(bytes) / 2, write_units: 0, items: rows.length })
    const keys = rows.map(({ pk, sk, due_at }) => ({ pk, sk, due_at }) as DueKey)
    const last = keys.at(-1)
    return { keys, ...(full && last && { next: JSON.stringify([last.due_at, last.pk, last.sk]) }) }
  }

  /** The earliest `due_at` of all shards, strictly after `after` if given; undefined when nothing is due ever. */
  earliestDue(after = ''): string | undefined {
    return (this.#tried(() => this.#statement(EARLIEST).get(after))?.due_at as string | null) ?? undefined
  }

  /** Drops the items whose `ttl` has passed, as DynamoDB does some time later, and answers how many they were. */
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
    this.#onUse({ operation: 'scan', read_units: readUnits(bytes), write_units: 0, items: rows.length })
    const last = rows.at(-1)
    return { items: rows.map(parse), ...(full && last && { next: JSON.stringify([last.pk, last.sk]) }) }
  }

  /** Copies all that is committed by now into a new file, also while another process serves. */
  copyTo(file: string): void {
    this.#database.prepare('VACUUM INTO ?').run(file)
  }

  /** Every item, for looking through all that is kept. */
  *items(): Generator<Item> {
    for (const row of this.#database.prepare('SELECT item FROM items ORDER BY pk, sk').iterate()) yield parse(row)
  }

  /** Commits what waits and gives the file back. */
  close(): void {
    this.#flush()
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
      if (this.#database.isTransaction) this.#statement('ROLLBACK').run()
      for (const { reject } of batch) reject(unavailable(error))
      return
    }
    for (const done of settle) done()
  }

  /** Looks at everything before it writes anything, so a refused transaction leaves the others of its commit alone. */
  #apply({ writes, puts, latest, resolve, reject }: Transaction): () => void {
    const state = this.#statement('SELECT version, size, due_shard, due_at FROM items WHERE pk = ? AND sk = ?')
    const before = writes.map((write) => {
      const { pk, sk } = keyOf(write)
      return state.get(pk, sk) as Before | undefined
    })
    if (this.#clock.now() > latest) return () => reject(new WriteConflict([]))
    this.#meter(writes, puts, before)
    const lost = writes.flatMap(({ was }, index) => (isSo(was, before[index]) ? [] : [index]))
    if (lost.length > 0) return () => reject(new WriteConflict(lost))
    for (const [index, write] of writes.entries()) {
      if ('put' in write) this.#statement(PUT).run(...puts[index]!.row)
      else if ('delete' in write)
        this.#statement('DELETE FROM items WHERE pk = ? AND sk = ?').run(write.delete.pk, write.delete.sk)
    }
    return () => {
      this.#onCommit(writes)
      resolve()
    }
  }

  #meter(writes: readonly Write[], puts: Transaction['puts'], before: readonly (Before | undefined)[]): void {
    let write_units = 0
    for (const [index, write] of writes.entries()) {
      const was = before[index]
      write_units += writeUnits(was?.size ?? 0, puts[index]?.size ?? 0)
      if ('check' in write) continue
      const key = keyOf(write)
      write_units += indexUnits(was && { ...was, pk: key.pk, sk: key.sk }, 'put' in write ? write.put : undefined)
    }
    this.#onUse({ operation: 'write', read_units: 0, write_units, items: writes.length })
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
      throw unavailable(error)
    }
  }
}

type Row = Record<string, unknown>
type DueKey = Key & { readonly due_at: string }

/** Rows up to the limit of the page or 1 MB; `full` when it ends for one of these and not because there is no more. */
function take(rows: Iterable<Row>, limit: number, sizeOf: (row: Row) => number) {
  const taken: Row[] = []
  let bytes = 0
  for (const row of rows) {
    const size = sizeOf(row)
    if (bytes + size > PAGE_BYTES_MAX) return { rows: taken, bytes, full: true }
    bytes += size
    taken.push(row)
    if (taken.length === limit) return { rows: taken, bytes, full: true }
  }
  return { rows: taken, bytes, full: false }
}

function putOf(item: Item): Put {
  const size = itemSize(item)
  const { pk, sk, version, ttl = null } = item
  const [due_shard, due_at] = item.due_shard && item.due_at ? [item.due_shard, item.due_at] : [null, null]
  return { size, row: [pk, sk, version, size, due_shard, due_at, ttl, JSON.stringify(item)] }
}

const parse = ({ item }: Row): Item => JSON.parse(item as string)

const isSo = (was: number | undefined, before: Before | undefined): boolean =>
  was === undefined || (was === 0 ? before === undefined : before?.version === was)

const SQLITE_BUSY = 5

/** How long a commit waits for one of another process. */
const BUSY_MS = 5_000

/** That this process alone serves from a file. Held until it ends, in whatever way: the operating system gives it back. */
function lockOf(file: string): DatabaseSync {
  const lock = new DatabaseSync(`${file}-lock`)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    lock.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY)
      throw new Error(`${file} is in use by another process: only one may run on a data folder.`)
    throw error
  }
  return lock
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA cache_size = -65536')
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}

/** What SQLite could not do (disk full, cannot read) is the platform's fault; anything else is ours. */
function unavailable(error: unknown): Error {
  if ((error as { code?: string }).code !== 'ERR_SQLITE_ERROR') return error as Error
  return new PlatformUnavailable((error as Error).message, { cause: error })
}
