import { DatabaseSync } from 'node:sqlite'

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

const SQLITE_BUSY = 5

/** How long a commit waits for one of another process. */
const BUSY_MS = 5_000

/** That this process alone serves from a file. Held until it ends, in whatever way: the operating system gives it back. */
export function lockOf(file: string): DatabaseSync {
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

/**
 * Opens the file, or makes it. What is committed outlives the process at once; it outlives a power cut once the log of the
 * file, the one that ends in `-wal`, is brought to the disk.
 */
export function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536')
    database.exec(`BEGIN IMMEDIATE; ${SCHEMA} COMMIT`)
  } catch (error) {
    database.close()
    throw error
  }
  return database
}
