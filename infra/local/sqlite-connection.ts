import type { DatabaseSync, SQLInputValue, SQLOutputValue, StatementSync } from 'node:sqlite'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { isFromSqlite, sqliteError } from './sqlite-error.ts'
import { lockOf, openDatabase } from './sqlite-file.ts'
import { type Disk, SyncedFile } from './synced-file.ts'

export interface SqliteConnectionOptions {
  /** The path of the file that stores the data. With `:memory:`, nothing is stored on disk. */
  readonly file: string
  /** Opens the file without the lock, for an operator's command while another process serves from the file. */
  readonly unlocked?: boolean
  /** Syncs commits to the disk. The default is `fdatasync`. */
  readonly disk?: Disk
}

/**
 * A connection to a SQLite file. It prepares each statement once, reports errors of SQLite as `PlatformUnavailable`,
 * and waits until commits are durable. One process at a time may serve from a file: the constructor throws if another
 * process does.
 */
export class SqliteConnection {
  /** The path of the file. */
  readonly file: string
  readonly #database: DatabaseSync
  readonly #lock: DatabaseSync | undefined
  /** SQLite's write-ahead log, which receives every commit first. A table in memory has none. */
  readonly #log: SyncedFile | undefined
  readonly #prepared = new Map<string, StatementSync>()

  constructor({ file, unlocked = false, disk }: SqliteConnectionOptions) {
    this.file = file
    const is_on_disk = file !== ':memory:'
    this.#lock = is_on_disk && !unlocked ? lockOf(file) : undefined
    try {
      this.#database = openDatabase(file)
      this.#log = is_on_disk ? new SyncedFile(`${file}-wal`, disk) : undefined
    } catch (error) {
      this.#lock?.close()
      throw error
    }
  }

  /** The prepared statement of an SQL text. */
  statement(sql: string): StatementSync {
    const known = this.#prepared.get(sql)
    if (known) return known
    const statement = this.ownStatement(sql)
    this.#prepared.set(sql, statement)
    return statement
  }

  /** A statement that no other caller shares, for reading rows one by one while others use the connection. */
  ownStatement(sql: string): StatementSync {
    return this.#database.prepare(sql)
  }

  /** Defines a condition that SQL can call by its name. */
  defineCondition(name: string, holds: (...values: SQLOutputValue[]) => boolean): void {
    this.#database.function(name, { varargs: true }, (...values) => Number(holds(...values)))
  }

  /** The first row that a statement selects; undefined if there is none. */
  row(sql: string, ...values: SQLInputValue[]): Record<string, SQLOutputValue> | undefined {
    return this.tried(() => this.statement(sql).get(...values))
  }

  /** Runs a statement and returns the number of rows that it changed. */
  run(sql: string, ...values: SQLInputValue[]): number {
    return this.tried(() => Number(this.statement(sql).run(...values).changes))
  }

  /** Returns what `call` returns. Throws `PlatformUnavailable` for an error of SQLite. */
  tried<T>(call: () => T): T {
    try {
      return call()
    } catch (error) {
      throw this.unavailable(error)
    }
  }

  /**
   * Returns an error of SQLite (full disk, unreadable file) as `PlatformUnavailable`. Any other error is a defect of
   * ours and is returned unchanged.
   */
  unavailable(error: unknown): Error {
    if (!isFromSqlite(error)) return error as Error
    return new PlatformUnavailable(sqliteError(this.file, error).message, { cause: error })
  }

  /** Runs `act` in one commit, which it begins at once. Undoes everything and throws if `act` or the commit fails. */
  commit(act: () => void): void {
    try {
      this.statement('BEGIN IMMEDIATE').run()
      act()
      this.statement('COMMIT').run()
    } catch (error) {
      if (this.#database.isTransaction) this.statement('ROLLBACK').run()
      throw this.unavailable(error)
    }
  }

  /** Begins to sync the latest commit. Settles like `durable` once it is on the disk. */
  sync(): Promise<void> {
    return this.#settled(this.#log?.sync())
  }

  /**
   * Settles once all commits are on the disk, so that no response reports what a power failure could still undo. Throws
   * `PlatformUnavailable` if the disk failed.
   */
  durable(): Promise<void> {
    return this.#settled(this.#log?.settled())
  }

  async #settled(wait: Promise<void> | undefined): Promise<void> {
    try {
      await wait
    } catch (cause) {
      throw new PlatformUnavailable(`the disk did not take what was written: ${(cause as Error).message}`, { cause })
    }
  }

  /** Copies everything that is committed by now to a new file, even while another process serves from this one. */
  copyTo(file: string): void {
    try {
      this.#database.prepare('VACUUM INTO ?').run(file)
    } catch (error) {
      throw new Error(`${this.file} cannot be copied to ${file} (${(error as Error).message}).`, { cause: error })
    }
  }

  /** Closes the file and releases its lock. */
  close(): void {
    this.#log?.close()
    this.#database.close()
    this.#lock?.close()
  }
}
