import { describe, expect, test } from 'vitest'
import { decryptWithSecret, encryptWithSecret, halvesOf, newTokenId } from '#shared/crypto/token-secret.ts'
import { SealBroken } from '#shared/platform/ports.ts'

describe('newTokenId and halvesOf', () => {
  test('a token id is the prefix and two halves, and both halves are unique', () => {
    const [one, other] = [newTokenId(1), newTokenId(1)]
    expect(one.id).toBe(`tok_${one.lookup}${one.secret}`)
    expect([one.lookup.length, one.secret.length]).toEqual([26, 26])
    expect(halvesOf(one.id)).toEqual({ lookup: one.lookup, secret: one.secret })
    expect(one.lookup).not.toBe(other.lookup)
    expect(one.secret).not.toBe(other.secret)
  })

  test('token ids sort by creation time', () => {
    expect(newTokenId(1000).id < newTokenId(1001).id).toBe(true)
  })

  test.each([
    '',
    'tok_',
    `tok_${'a'.repeat(51)}`,
    `tok_${'a'.repeat(53)}`,
    `tok_${'A'.repeat(52)}`,
    `tik_${'a'.repeat(52)}`,
  ])('%j is not a token id', (text) => {
    expect(halvesOf(text)).toBeUndefined()
  })
})

test('decryptWithSecret decrypts only with the secret that encrypted the text', () => {
  const { secret } = newTokenId(1)
  const sealed = Buffer.from('a sealed card').toString('base64')
  const encrypted = encryptWithSecret(secret, sealed)
  expect(decryptWithSecret(secret, encrypted)).toBe(sealed)
  expect(() => decryptWithSecret(newTokenId(1).secret, encrypted)).toThrow(SealBroken)
})
