import { closeSync, fdatasync, openSync } from 'node:fs'

/** Syncs everything that is written to a file to the disk. Then calls `done`, with an error if the sync failed. */
export type Disk = (descriptor: number, done: (error: Error | null) => void) => void

/**
 * Syncs a file to the disk without blocking the process, so that the content survives a power failure. After a failed
 * sync, the disk may have lost data, so every later wait fails until the file is opened again.
 */
export class SyncedFile {
  readonly #descriptor: number
  readonly #disk: Disk
  /** The sync that was requested last, which may still wait for the one before it. */
  #last: Promise<void> = Promise.resolve()
  /** The sync that waits for the running one to end; undefined if none waits. */
  #next: Promise<void> | undefined

  /** Opens the file, which must exist. */
  constructor(file: string, disk: Disk = fdatasync) {
    this.#descriptor = openSync(file, 'r+')
    this.#disk = disk
  }

  /**
   * Settles once everything that was written before this call is on the disk. All calls during a running sync share the
   * next one.
   */
  sync(): Promise<void> {
    if (!this.#next) {
      this.#next = this.#last.then(() => {
        this.#next = undefined
        return this.#toDisk()
      })
      this.#last = this.#next
      // The callers handle the rejection. Without this line, a rejection without a caller would end the process.
      this.#last.catch(() => undefined)
    }
    return this.#next
  }

  /** Settles once everything for which `sync` was called is on the disk; at once if it already is. */
  settled(): Promise<void> {
    return this.#last
  }

  /** Closes the file once the syncs in progress have ended. */
  async close(): Promise<void> {
    await this.#last.catch(() => undefined)
    closeSync(this.#descriptor)
  }

  #toDisk(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#disk(this.#descriptor, (error) => (error ? reject(error) : resolve()))
    })
  }
}
