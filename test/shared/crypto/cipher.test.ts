import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from '#shared/crypto/cipher.ts'
import { SealBroken } from '#shared/platform/ports.ts'

const key = randomBytes(32)

test.each(['', 'a', 'カード', 'x'.repeat(100_000)])(
  'decrypt returns the text that encrypt encrypted with the same key (%#)',
  (text) => {
    expect(decrypt(key, encrypt(key, Buffer.from(text))).toString()).toBe(text)
  },
)

test('decrypt throws SealBroken for another key and for a changed bit', () => {
  const ciphertext = encrypt(key, Buffer.from('a secret'))
  expect(() => decrypt(randomBytes(32), ciphertext)).toThrow(SealBroken)
  const bytes = Buffer.from(ciphertext, 'base64')
  for (const at of [0, 12, bytes.length - 1]) {
    const other = Buffer.from(bytes)
    other[at]! ^= 1
    expect(() => decrypt(key, other.toString('base64')), `byte ${at}`).toThrow(SealBroken)
  }
})

test('encrypt returns a different ciphertext each time, and the plaintext is not in it', () => {
  const [one, other] = [encrypt(key, Buffer.from('a secret')), encrypt(key, Buffer.from('a secret'))]
  expect(one).not.toBe(other)
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('secret')
})
