import { closeSync, fdatasync, openSync } from 'node:fs'

/** Brings all that is written to a file to the disk, and tells when it is there, or why not. */
export type Disk = (descriptor: number, told: (error: Error | null) => void) => void

/**
 * Brings what is written to a file to the disk, so that it outlives a power cut; the process goes on meanwhile. A disk that
 * did not take something may have forgotten it, so nothing is on it for sure any more: from then on every wait fails, until
 * the file is opened anew.
 */
export class SyncedFile {
  readonly #descriptor: number
  readonly #disk: Disk
  /** What has been begun last. */
  #last: Promise<void> = Promise.resolve()
  /** What begins once that has ended. */
  #next: Promise<void> | undefined

  /** The file is there already. */
  constructor(file: string, disk: Disk = fdatasync) {
    this.#descriptor = openSync(file, 'r+')
    this.#disk = disk
  }

  /** Settles once all that was written before this call is on the disk. Whoever calls while the disk is busy shares one wait. */
  sync(): Promise<void> {
    if (!this.#next) {
      this.#next = this.#last.then(() => {
        this.#next = undefined
        return this.#toDisk()
      })
      this.#last = this.#next
      // Who waits for it is told.
      this.#last.catch(() => undefined)
    }
    return this.#next
  }

  /** Settles once all that `sync` was called for is on the disk; at once when it is. */
  settled(): Promise<void> {
    return this.#last
  }

  /** Gives the file back once what is under way has ended. */
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
