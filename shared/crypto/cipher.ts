import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { SealBroken } from '#shared/platform/ports.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * Encrypts bytes with AES-256-GCM, as base64 text. The caller derives the 256-bit key from a secret that only a client
 * has.
 */
export function encrypt(key: Buffer, plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES)
  // Node takes eight times as long with a key that is passed as bytes.
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), nonce)
  const locked = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), locked]).toString('base64')
}

/** Decrypts text that `encrypt` encrypted. Throws `SealBroken` for another key or for changed text. */
export function decrypt(key: Buffer, locked: string): Buffer {
  const bytes = Buffer.from(locked, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    throw new SealBroken('the key does not open this lock')
  }
}
