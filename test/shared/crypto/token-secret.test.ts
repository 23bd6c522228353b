import { describe, expect, test } from 'vitest'
import { decryptWithSecret, encryptWithSecret, halvesOf, newTokenId } from '#shared/crypto/token-secret.ts'
import { SealBroken } from '#shared/platform/ports.ts'

describe('a token id', () => {
  test('is its two halves behind the prefix, and of no two tokens the same', () => {
    const [one, other] = [newTokenId(1), newTokenId(1)]
    expect(one.id).toBe(`tok_${one.lookup}${one.secret}`)
    expect([one.lookup.length, one.secret.length]).toEqual([26, 26])
    expect(halvesOf(one.id)).toEqual({ lookup: one.lookup, secret: one.secret })
    expect(one.lookup).not.toBe(other.lookup)
    expect(one.secret).not.toBe(other.secret)
  })

  test('sorts by birth', () => {
    expect(newTokenId(1000).id < newTokenId(1001).id).toBe(true)
  })

  test.each([
    '',
    'tok_',
    `tok_${'a'.repeat(51)}`,
    `tok_${'a'.repeat(53)}`,
    `tok_${'A'.repeat(52)}`,
    `tik_${'a'.repeat(52)}`,
  ])('%s is none', (text) => {
    expect(halvesOf(text)).toBeUndefined()
  })
})

test('the secret half opens what it locked, and no other does', () => {
  const { secret } = newTokenId(1)
  const sealed = Buffer.from('a sealed card').toString('base64')
  const locked = encryptWithSecret(secret, sealed)
  expect(decryptWithSecret(secret, locked)).toBe(sealed)
  expect(() => decryptWithSecret(newTokenId(1).secret, locked)).toThrow(SealBroken)
})
