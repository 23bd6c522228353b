import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { damagedFile, sqliteError } from './sqlite-error.ts'

/** Rows stand in the order they come in: kept in key order, items of some KB take twice the room and a third more time. */
const SCHEMA = `
  CREATE TABLE IF NOT EXISTS items (
    pk TEXT NOT NULL, sk TEXT NOT NULL, version INTEGER NOT NULL, size INTEGER NOT NULL,
    due_shard TEXT, due_at TEXT, ttl INTEGER, item TEXT NOT NULL,
    PRIMARY KEY (pk, sk)
  );
  CREATE INDEX IF NOT EXISTS due ON items (due_shard, due_at, pk, sk) WHERE due_shard IS NOT NULL;
  CREATE INDEX IF NOT EXISTS expiring ON items (ttl) WHERE ttl IS NOT NULL;
  CREATE TABLE IF NOT EXISTS vault_key (check_value TEXT NOT NULL);
`

const SQLITE_BUSY = 5

/** How long a commit waits for one of another process. */
const BUSY_MS = 5_000

/** How the log of a database begins; the last bit says in which byte order its checksums are. */
const LOG_MAGIC = 0x377f0682
const LOG_HEADER_BYTES = 32

/** The smallest page that SQLite knows. */
const PAGE_BYTES_MIN = 512

/** That this process alone serves from a file. Held until it ends, in whatever way: the operating system gives it back. */
export function lockOf(file: string): DatabaseSync {
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(`${file}-lock`)
    lock.exec('BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock?.close()
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) throw sqliteError(file, error)
    throw sqliteError(`${file}-lock`, error, { damaged: 'is damaged: remove this file, which holds no data.' })
  }
}

/**
 * Opens the file, or makes it. What is committed outlives the process at once; it outlives a power cut once the log of the
 * file, the one that ends in `-wal`, is brought to the disk. Throws an error of one sentence when the file cannot be used.
 */
export function openDatabase(file: string): DatabaseSync {
  const is_new = !existsSync(file)
  if (!is_new) refuseEmpty(file)
  if (existsSync(`${file}-wal`)) refuseForeignLog(`${file}-wal`)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: BUSY_MS })
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536')
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
    return database
  } catch (error) {
    database?.close()
    // What is left of a first start is empty, which the next start would take for damage.
    if (is_new) rmSync(file, { force: true })
    throw sqliteError(file, error)
  }
}

/** SQLite makes a new database of a file that holds no page: all data would be gone without a word. */
function refuseEmpty(file: string): void {
  const found = statSync(file)
  if (found.isFile() && found.size < PAGE_BYTES_MIN) throw damagedFile(file)
}

/** SQLite drops a log that does not begin as one: all that was committed since the last checkpoint would be gone. */
function refuseForeignLog(log: string): void {
  const found = statSync(log)
  // A kill can leave the beginning of a log, where nothing was answered yet.
  if (!found.isFile() || found.size < LOG_HEADER_BYTES) return
  const head = Buffer.alloc(4)
  const descriptor = openSync(log, 'r')
  readSync(descriptor, head)
  closeSync(descriptor)
  const magic = head.readUInt32BE()
  // A power cut can leave zeros there as well.
  if (magic !== 0 && (magic & ~1) !== LOG_MAGIC) throw damagedFile(log)
}
