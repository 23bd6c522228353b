import { closeSync, fdatasync, openSync } from 'node:fs'

/** Brings what is written to a file to the disk, so that it outlives a power cut; the process goes on meanwhile. */
export class SyncedFile {
  readonly #descriptor: number
  #next: Promise<void> | undefined
  /** Settles with what is under way, whatever becomes of it. */
  #under_way: Promise<unknown> = Promise.resolve()

  /** The file is there already. */
  constructor(file: string) {
    this.#descriptor = openSync(file, 'r+')
  }

  /** Settles once all that was written before this call is on the disk. Whoever calls while the disk is busy shares one wait. */
  sync(): Promise<void> {
    if (!this.#next) {
      const next = this.#under_way.then(() => {
        this.#next = undefined
        return this.#toDisk()
      })
      this.#next = next
      this.#under_way = next.catch(() => undefined)
    }
    return this.#next
  }

  /** Settles once what is being brought to the disk is there, or cannot be; at once when there is nothing. */
  async settled(): Promise<void> {
    await this.#under_way
  }

  /** Gives the file back once what is under way has settled. */
  async close(): Promise<void> {
    await this.#under_way
    closeSync(this.#descriptor)
  }

  #toDisk(): Promise<void> {
    return new Promise((resolve, reject) => {
      fdatasync(this.#descriptor, (error) => (error ? reject(error) : resolve()))
    })
  }
}
