import { beforeAll, describe, expect, test } from 'vitest'
import { SealBroken, type Vault } from '#shared/platform/ports.ts'

/** The contract of `Vault`, which every adapter fulfils. */
export function vaultContract(name: string, open: () => Promise<Vault>): void {
  describe(name, () => {
    let vault: Vault
    beforeAll(async () => {
      vault = await open()
    })
    const card = Buffer.from('{"number":"4111111111111111"}')
    const context = { merchant: 'mer_1', token: 'tok_1' }

    test('opens what it sealed, whatever the order of the context', async () => {
      const sealed = await vault.seal(card, context)
      expect(Buffer.from(await vault.open(sealed, { token: 'tok_1', merchant: 'mer_1' }))).toEqual(card)
    })

    test('returns sealed bytes that hide the content and differ each time', async () => {
      const sealed = Buffer.from(await vault.seal(card, context))
      expect(sealed.includes('4111')).toBe(false)
      expect(Buffer.from(await vault.seal(card, context))).not.toEqual(sealed)
    })

    test.each<[string, Record<string, string>]>([
      ['of another merchant', { ...context, merchant: 'mer_2' }],
      ['with the values swapped', { merchant: 'tok_1', token: 'mer_1' }],
      ['with less content', { merchant: 'mer_1' }],
      ['with more content', { ...context, use: 'card' }],
      ['without content', {}],
    ])('throws SealBroken for a context %s', async (_, other) => {
      const sealed = await vault.seal(card, context)
      await expect(vault.open(sealed, other)).rejects.toBeInstanceOf(SealBroken)
    })

    test('throws SealBroken for a flipped bit and for missing bytes', async () => {
      const sealed = await vault.seal(card, context)
      for (const place of [sealed.length >> 1, sealed.length - card.length, sealed.length - 1]) {
        const bytes = Uint8Array.from(sealed)
        bytes[place]! ^= 1
        await expect(vault.open(bytes, context)).rejects.toBeInstanceOf(SealBroken)
      }
      await expect(vault.open(sealed.subarray(0, -1), context)).rejects.toBeInstanceOf(SealBroken)
      await expect(vault.open(sealed.subarray(0, 5), context)).rejects.toBeInstanceOf(SealBroken)
    })

    test('seals 1 to 4,096 bytes', async () => {
      for (const size of [1, 4096]) {
        const plain = Buffer.alloc(size, 7)
        expect(Buffer.from(await vault.open(await vault.seal(plain, context), context))).toEqual(plain)
      }
      await expect(vault.seal(Buffer.alloc(4097), context)).rejects.toThrow()
      await expect(vault.seal(Buffer.alloc(0), context)).rejects.toThrow()
    })
  })
}
