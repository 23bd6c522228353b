import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { SealBroken, type Vault } from '#shared/platform/ports.ts'

const CIPHER = 'aes-256-gcm'
const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16
const PLAIN_BYTES_MAX = 4096

/** The first byte of sealed data. It identifies the key and the cipher, so that both can change later. */
const FORMAT = 1

/**
 * Seals with AES-256-GCM under a key in a file. The constructor creates the file if it does not exist, and throws if
 * other users may access it or if its length is wrong.
 */
export class KeyFileVault implements Vault {
  /** The path of the key file. */
  readonly file: string
  readonly #key: KeyObject

  constructor(file: string) {
    this.file = file
    if (!existsSync(file)) makeKeyFile(file)
    if ((statSync(file).mode & 0o077) !== 0)
      throw new Error(`The key file ${file} is open to other users: run chmod 600 on it.`)
    const bytes = readFileSync(file)
    if (bytes.length !== KEY_BYTES)
      throw new Error(`The key file ${file} is damaged: it has ${bytes.length} bytes instead of ${KEY_BYTES}.`)
    this.#key = createSecretKey(bytes)
  }

  /**
   * Derives a key for another use in this data folder. A derived key reveals neither the vault's key nor other keys.
   */
  keyFor(use: string): Buffer {
    return Buffer.from(hkdfSync('sha256', this.#key, '', use, KEY_BYTES))
  }

  async seal(plain: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array> {
    if (plain.length < 1 || plain.length > PLAIN_BYTES_MAX)
      throw new Error(`${plain.length} bytes cannot be sealed: it takes 1 to ${PLAIN_BYTES_MAX}`)
    const nonce = randomBytes(NONCE_BYTES)
    const cipher = createCipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES }).setAAD(canonical(context))
    return Buffer.concat([Buffer.of(FORMAT), nonce, cipher.update(plain), cipher.final(), cipher.getAuthTag()])
  }

  async open(sealed: Uint8Array, context: Readonly<Record<string, string>>): Promise<Uint8Array> {
    return this.#opened(sealed, context)
  }

  /** Whether the key opens sealed bytes in a context. */
  canOpen(sealed: Uint8Array, context: Readonly<Record<string, string>>): boolean {
    try {
      this.#opened(sealed, context)
      return true
    } catch (error) {
      if (error instanceof SealBroken) return false
      throw error
    }
  }

  #opened(sealed: Uint8Array, context: Readonly<Record<string, string>>): Uint8Array {
    const bytes = Buffer.from(sealed)
    if (bytes[0] !== FORMAT || bytes.length < 1 + NONCE_BYTES + TAG_BYTES) throw new SealBroken('not sealed here')
    const nonce = bytes.subarray(1, 1 + NONCE_BYTES)
    const decipher = createDecipheriv(CIPHER, this.#key, nonce, { authTagLength: TAG_BYTES })
      .setAAD(canonical(context))
      .setAuthTag(bytes.subarray(-TAG_BYTES))
    const plain = decipher.update(bytes.subarray(1 + NONCE_BYTES, -TAG_BYTES))
    try {
      return Buffer.concat([plain, decipher.final()])
    } catch {
      throw new SealBroken('other bytes, another key or another context')
    }
  }
}

/** Encodes a context as bytes that do not depend on the order of its names. */
function canonical(context: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(context).sort()
  return Buffer.from(JSON.stringify(names.map((name) => [name, context[name]])))
}

/** Creates the key file once the whole key is on the disk. If another process has created it first, that file stays. */
function makeKeyFile(file: string): void {
  const draft = `${file}.${randomBytes(8).toString('hex')}`
  try {
    writeFileSync(draft, randomBytes(KEY_BYTES), { flag: 'wx', mode: 0o600, flush: true })
    linkSync(draft, file)
  } catch (error) {
    if ((error as { code?: string }).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft, { force: true })
  }
  // If a power failure removed the name, nothing that the key has sealed could be opened.
  const folder = openSync(dirname(file), 'r')
  fsyncSync(folder)
  closeSync(folder)
}
