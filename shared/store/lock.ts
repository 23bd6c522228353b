import { createCipheriv, createDecipheriv, createSecretKey, randomBytes } from 'node:crypto'
import { SealBroken } from '#shared/platform/ports.ts'

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** Locks bytes with a 256-bit key that only a client can make again, as base64 text. */
export function lock(key: Buffer, plain: Uint8Array): string {
  const nonce = randomBytes(NONCE_BYTES)
  // A key of bytes takes Node eight times as long.
  const cipher = createCipheriv('aes-256-gcm', createSecretKey(key), nonce)
  const locked = Buffer.concat([cipher.update(plain), cipher.final()])
  return Buffer.concat([nonce, cipher.getAuthTag(), locked]).toString('base64')
}

/** Opens what `lock` locked; throws `SealBroken` for another key. */
export function unlock(key: Buffer, locked: string): Buffer {
  const bytes = Buffer.from(locked, 'base64')
  const decipher = createDecipheriv('aes-256-gcm', createSecretKey(key), bytes.subarray(0, NONCE_BYTES))
  decipher.setAuthTag(bytes.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES))
  try {
    return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
  } catch {
    throw new SealBroken('the key does not open this lock')
  }
}
