import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Account } from './account.ts'
import { type Emulator, startEmulator } from './emulator.ts'
import { gaps } from './gaps.ts'

describe('ministack without the additions of server.py has this gap:', () => {
  let bare: Emulator
  let account: Account
  beforeAll(async () => {
    bare = await startEmulator({ bare: true })
    account = await Account.open(bare)
  })
  afterAll(() => bare?.stop())

  test.each(gaps)('$what; $treatment', async ({ isOpen }) => {
    expect(await isOpen(account)).toBe(true)
  })
})
