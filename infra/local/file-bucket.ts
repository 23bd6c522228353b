import { createCipheriv, createDecipheriv, createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readdirSync, rmSync } from 'node:fs'
import * as fs from 'node:fs/promises'
import { join } from 'node:path'
import type { Bucket, Clock, LinkOptions } from '#shared/platform/ports.ts'
import { diskFault } from './disk-fault.ts'

/** The path of links to files, on the service's own host. */
export const FILES_PATH = '/_local/files/'

const CIPHER = 'aes-256-gcm'
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** The suffix of a file that is not completely written yet. */
export const DRAFT = '.draft'

/** The content of a linked object, and the headers of the response. */
export interface Linked {
  readonly bytes: Buffer
  readonly content_type: string
  readonly content_disposition: string
}

/** The file system calls that the bucket uses. */
export type FileCalls = Pick<typeof fs, 'open' | 'readFile' | 'rename' | 'rm' | 'writeFile'>

export interface FileBucketOptions {
  /** The folder of the objects. It is created if it does not exist. */
  readonly folder: string
  readonly keyFor: (use: string) => Buffer
  readonly clock: Clock
  /** Another process may be writing to the folder, so its drafts are not removed. */
  readonly unlocked?: boolean
  /** The file system calls. The default is `node:fs/promises`. */
  readonly calls?: FileCalls
}

/**
 * A bucket in a folder. Each object is an encrypted file, and links are signed. A disk that is full or fails causes
 * `PlatformUnavailable`.
 */
export class FileBucket implements Bucket {
  readonly #folder: string
  readonly #clock: Clock
  readonly #calls: FileCalls
  readonly #keys: { readonly seal: Buffer; readonly sign: Buffer }

  constructor({ folder, keyFor, clock, unlocked = false, calls = fs }: FileBucketOptions) {
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    // A process that was killed leaves the drafts that it was writing.
    for (const name of unlocked ? [] : readdirSync(folder))
      if (name.endsWith(DRAFT)) rmSync(join(folder, name), { force: true })
    this.#folder = folder
    this.#clock = clock
    this.#calls = calls
    this.#keys = { seal: keyFor('files'), sign: keyFor('links to files') }
  }

  /** Stores an object. The object appears under its name once all its bytes are on the disk. */
  async put(name: string, bytes: Uint8Array): Promise<void> {
    const draft = join(this.#folder, randomBytes(16).toString('hex') + DRAFT)
    try {
      await this.#calls.writeFile(draft, this.#sealed(name, bytes), { flag: 'wx', mode: 0o600, flush: true })
      await this.#calls.rename(draft, this.#path(name))
      await this.#keepNames()
    } catch (error) {
      // A disk that fails may not remove the draft either. The next start removes it.
      await this.#calls.rm(draft, { force: true }).catch(() => undefined)
      throw diskFault(error)
    }
  }

  async get(name: string): Promise<Buffer | undefined> {
    const bytes = await this.#read(name)
    return bytes && this.#opened(name, bytes)
  }

  async remove(name: string): Promise<void> {
    try {
      await this.#calls.rm(this.#path(name), { force: true })
      await this.#keepNames()
    } catch (error) {
      throw diskFault(error)
    }
  }

  async link(name: string, { content_type, content_disposition, seconds }: LinkOptions): Promise<string> {
    const expires = String(this.#clock.now() + seconds * 1000)
    const parameters = new URLSearchParams({ expires, content_type, content_disposition })
    const signature = this.#signature(name, parameters).toString('hex')
    return `${FILES_PATH + name}?${parameters}&signature=${signature}`
  }

  /** Returns what a link leads to; undefined if the link has expired or was changed, or if its object is gone. */
  async follow(name: string, query: URLSearchParams): Promise<Linked | undefined> {
    const [expires = '', content_type = '', content_disposition = ''] = signed_names.map(
      (parameter) => query.get(parameter) ?? '',
    )
    const signed = this.#signature(name, new URLSearchParams({ expires, content_type, content_disposition }))
    const given = Buffer.from(query.get('signature') ?? '', 'hex')
    if (given.length !== signed.length || !timingSafeEqual(given, signed)) return undefined
    if (Number(expires) <= this.#clock.now()) return undefined
    const bytes = await this.get(name)
    return bytes && { bytes, content_type, content_disposition }
  }

  #signature(name: string, parameters: URLSearchParams): Buffer {
    return createHmac('sha256', this.#keys.sign).update(`${name}?${parameters}`).digest()
  }

  #sealed(name: string, bytes: Uint8Array): Buffer {
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#keys.seal, nonce, { authTagLength: TAG_BYTES }).setAAD(
      Buffer.from(name),
    )
    return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()])
  }

  #opened(name: string, sealed: Buffer): Buffer {
    const nonce = sealed.subarray(0, NONCE_BYTES)
    const decipher = createDecipheriv(CIPHER, this.#keys.seal, nonce, { authTagLength: TAG_BYTES })
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(-TAG_BYTES))
    return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()])
  }

  async #read(name: string): Promise<Buffer | undefined> {
    try {
      return await this.#calls.readFile(this.#path(name))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
      throw diskFault(error)
    }
  }

  /** Returns the path of an object. Every path is inside the folder and differs from the paths of drafts. */
  #path(name: string): string {
    return join(this.#folder, `${encodeURIComponent(name)}.object`)
  }

  /** Writes the folder to the disk, so that an added or removed name survives a power failure. */
  async #keepNames(): Promise<void> {
    const folder = await this.#calls.open(this.#folder, 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  }
}

const signed_names = ['expires', 'content_type', 'content_disposition']
