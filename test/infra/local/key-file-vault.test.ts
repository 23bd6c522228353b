import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { KeyFileVault } from '#infra/local/key-file-vault.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { vaultContract } from '#test/shared/platform/contract/vault-contract.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'vault-'))
  file = join(folder, 'vault.key')
})
afterEach(() => rmSync(folder, { recursive: true }))

vaultContract('the vault contract with a key file', async () => {
  const contract_folder = mkdtempSync(join(tmpdir(), 'vault-'))
  const vault = new KeyFileVault(join(contract_folder, 'vault.key'))
  rmSync(contract_folder, { recursive: true })
  return vault
})

describe('KeyFileVault', () => {
  const card = Buffer.from('4111111111111111')
  const context = { merchant: 'mer_1' }

  test('creates a key file that only its owner can read, and no other file', () => {
    new KeyFileVault(file)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file)).toHaveLength(32)
    expect(readdirSync(folder)).toEqual(['vault.key'])
  })

  test('opens a seal after a restart, and not with another key', async () => {
    const sealed = await new KeyFileVault(file).seal(card, context)
    expect(Buffer.from(await new KeyFileVault(file).open(sealed, context))).toEqual(card)
    const other = new KeyFileVault(join(folder, 'other.key'))
    await expect(other.open(sealed, context)).rejects.toBeInstanceOf(SealBroken)
  })

  test('does not open a seal with any flipped bit or any missing end', async () => {
    const vault = new KeyFileVault(file)
    const sealed = await vault.seal(card, context)
    for (let bit = 0; bit < sealed.length * 8; bit += 1) {
      const bytes = Uint8Array.from(sealed)
      bytes[bit >> 3]! ^= 1 << (bit & 7)
      await expect(vault.open(bytes, context)).rejects.toBeInstanceOf(SealBroken)
    }
    for (let length = 0; length < sealed.length; length += 1)
      await expect(vault.open(sealed.subarray(0, length), context)).rejects.toBeInstanceOf(SealBroken)
  })

  test('distinguishes contexts whose joined text is the same', async () => {
    const vault = new KeyFileVault(file)
    const sealed = await vault.seal(card, { a: 'b,c', d: 'e' })
    const others: Record<string, string>[] = [
      { a: 'b', 'c,d': 'e' },
      { 'a,b': 'c', d: 'e' },
      { a: 'b,c,d,e' },
      { a: 'b,c","d":"e' },
    ]
    for (const other of others) await expect(vault.open(sealed, other)).rejects.toBeInstanceOf(SealBroken)
  })

  test.each([0o640, 0o604, 0o620])('does not start with a key file of mode %o', (mode) => {
    new KeyFileVault(file)
    chmodSync(file, mode)
    expect(() => new KeyFileVault(file)).toThrow(`run chmod 600`)
  })

  test.each([0, 31, 33])('does not start with a key of %d bytes', (length) => {
    writeFileSync(file, Buffer.alloc(length), { mode: 0o600 })
    expect(() => new KeyFileVault(file)).toThrow(`it has ${length} bytes instead of 32`)
  })
})
