import { closeSync, existsSync, openSync, readSync, rmSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { damagedFile, sqliteError } from './sqlite-error.ts'

/**
 * Rows are stored in insertion order. In key order, items of some KB would take twice the space and a third more time.
 */
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

/** How long a commit waits for the commit of another process. */
const BUSY_MS = 5_000

/**
 * The first four bytes of the write-ahead log of a database. The last bit states the byte order of the log's checksums.
 */
const LOG_MAGIC = 0x377f0682
const LOG_HEADER_BYTES = 32

/** The smallest page size that SQLite supports. */
const PAGE_BYTES_MIN = 512

/**
 * Locks a file, so that this process alone serves from it. Throws an error of one sentence if another process holds the
 * lock or if the lock file cannot be used. The operating system releases the lock when the process ends, even after a
 * crash.
 */
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
 * Opens the database file, or creates it. A commit survives the end of the process at once. It survives a power failure
 * once the write-ahead log, whose name ends in `-wal`, is synced to the disk. Throws an error of one sentence if the
 * file cannot be used.
 */
export function openDatabase(file: string): DatabaseSync {
  const is_new = !existsSync(file)
  if (is_new) refuseLostTable(file)
  else refuseEmpty(file)
  if (existsSync(`${file}-wal`)) refuseForeignLog(`${file}-wal`)
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { timeout: BUSY_MS })
    database.exec(
      'PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536; PRAGMA secure_delete = FAST',
    )
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
    return database
  } catch (error) {
    database?.close()
    // A first start that failed leaves an empty file. The next start would report it as damaged.
    if (is_new) rmSync(file, { force: true })
    throw sqliteError(file, error)
  }
}

/** Throws if the table is missing but its log has data. SQLite would delete the log, which can hold every commit. */
function refuseLostTable(file: string): void {
  const log = `${file}-wal`
  if (!existsSync(log) || statSync(log).size < LOG_HEADER_BYTES) return
  throw new Error(
    `The table ${file} is missing, and its log ${log} still holds data: restore the table, or remove the folder to start without data.`,
  )
}

/**
 * Throws if the file is smaller than a page. SQLite would silently create a new database in it, and all data would be
 * lost.
 */
function refuseEmpty(file: string): void {
  const found = statSync(file)
  if (found.isFile() && found.size < PAGE_BYTES_MIN) throw damagedFile(file)
}

/** Throws if the log does not begin like one. SQLite would drop it, with every commit since the last checkpoint. */
function refuseForeignLog(log: string): void {
  const found = statSync(log)
  // A killed process can leave an incomplete header. No commit of such a log has been confirmed yet.
  if (!found.isFile() || found.size < LOG_HEADER_BYTES) return
  const head = Buffer.alloc(4)
  const descriptor = openSync(log, 'r')
  readSync(descriptor, head)
  closeSync(descriptor)
  const magic = head.readUInt32BE()
  // A power failure can leave zeros in the header.
  if (magic !== 0 && (magic & ~1) !== LOG_MAGIC) throw damagedFile(log)
}
