import { type Clock, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { checkTransaction, keyOf } from './dynamodb-limits.ts'
import type { SqliteConnection } from './sqlite-connection.ts'
import { type Before, hasVersion, PUT, type Put, putOf, unitsOf } from './sqlite-rows.ts'
import type { Use } from './units.ts'

interface Transaction {
  readonly writes: readonly Write[]
  /** The row of each put, built at the call, so that the caller may change its objects afterwards. */
  readonly puts: readonly (Put | undefined)[]
  readonly latest: number
  readonly resolve: () => void
  readonly reject: (error: Error) => void
}

/**
 * Commits the transactions of one turn of the event loop together, so that they share one wait for the disk. Each
 * transaction is still checked and rejected alone.
 */
export class GroupCommit {
  readonly #connection: SqliteConnection
  readonly #clock: Clock
  readonly #onUse: (use: Use) => void
  #waiting: Transaction[] = []

  constructor(connection: SqliteConnection, clock: Clock, onUse: (use: Use) => void) {
    this.#connection = connection
    this.#clock = clock
    this.#onUse = onUse
  }

  /** Writes a transaction. Resolves once it is on the disk. Throws as `Table.write` does. */
  async write(writes: readonly Write[], latest: number): Promise<void> {
    const puts = writes.map((write) => ('put' in write ? putOf(write.put) : undefined))
    checkTransaction(
      writes,
      puts.reduce((bytes, put) => bytes + (put?.size ?? 0), 0),
    )
    await new Promise<void>((resolve, reject) => {
      this.#waiting.push({ writes, puts, latest, resolve, reject })
      if (this.#waiting.length === 1) setImmediate(() => this.flush())
    })
  }

  /** Commits the waiting transactions at once. */
  flush(): void {
    const batch = this.#waiting
    this.#waiting = []
    if (batch.length === 0) return
    const fail = (error: Error) => {
      for (const { reject } of batch) reject(error)
    }
    const settle: (() => void)[] = []
    try {
      this.#connection.commit(() => {
        for (const transaction of batch) settle.push(this.#apply(transaction))
      })
    } catch (error) {
      fail(error as Error)
      return
    }
    this.#connection.sync().then(() => {
      for (const done of settle) done()
    }, fail)
  }

  /**
   * Writes one transaction. Checks all conditions before the first write, so a rejected transaction does not affect the
   * others of its commit. Returns the function that settles the transaction once the commit is on the disk.
   */
  #apply({ writes, puts, latest, resolve, reject }: Transaction): () => void {
    const state = this.#connection.statement(
      'SELECT version, size, due_shard, due_at FROM items WHERE pk = ? AND sk = ?',
    )
    const before = writes.map((write) => {
      const { pk, sk } = keyOf(write)
      return state.get(pk, sk) as Before | undefined
    })
    if (this.#clock.now() > latest) return () => reject(new WriteConflict([]))
    this.#onUse({ operation: 'write', read_units: 0, write_units: unitsOf(writes, puts, before), items: writes.length })
    const lost = writes.flatMap(({ was }, index) => (hasVersion(was, before[index]) ? [] : [index]))
    if (lost.length > 0) return () => reject(new WriteConflict(lost))
    for (const [index, write] of writes.entries()) {
      if ('put' in write) this.#connection.statement(PUT).run(...puts[index]!.row)
      else if ('delete' in write)
        this.#connection.statement('DELETE FROM items WHERE pk = ? AND sk = ?').run(write.delete.pk, write.delete.sk)
    }
    return resolve
  }
}
