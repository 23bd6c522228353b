import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { decrypt, encrypt } from '#shared/crypto/cipher.ts'
import { SealBroken } from '#shared/platform/ports.ts'

const key = randomBytes(32)

test.each(['', 'a', 'カード', 'x'.repeat(100_000)])('what was locked is opened with the key (%#)', (text) => {
  expect(decrypt(key, encrypt(key, Buffer.from(text))).toString()).toBe(text)
})

test('another key opens nothing, and neither does the right one once a bit has changed', () => {
  const locked = encrypt(key, Buffer.from('a secret'))
  expect(() => decrypt(randomBytes(32), locked)).toThrow(SealBroken)
  const bytes = Buffer.from(locked, 'base64')
  for (const at of [0, 12, bytes.length - 1]) {
    const other = Buffer.from(bytes)
    other[at]! ^= 1
    expect(() => decrypt(key, other.toString('base64')), `byte ${at}`).toThrow(SealBroken)
  }
})

test('the same bytes are never locked the same way twice, and cannot be read', () => {
  const [one, other] = [encrypt(key, Buffer.from('a secret')), encrypt(key, Buffer.from('a secret'))]
  expect(one).not.toBe(other)
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('secret')
})
