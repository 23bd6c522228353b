import { expect, test } from 'vitest'
import { apiKeyKey, hashOfKey, merchantKey, recordKey } from '#shared/store/keys.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { START } from '#test/fixtures/api.ts'

test('newMerchants creates an account with a test and a live merchant, each with a key of each kind', () => {
  const { merchants, writes } = newMerchants(START)
  for (const mode of ['test', 'live'] as const) {
    expect(merchants[mode]).toEqual({
      id: expect.stringMatching(/^mer_[0-9a-z]{26}$/),
      secret_key: expect.stringMatching(new RegExp(`^sk_${mode}_[0-9a-z]{32}$`)),
      publishable_key: expect.stringMatching(new RegExp(`^pk_${mode}_[0-9a-z]{32}$`)),
    })
  }
  const rows = new Map(
    writes.map((write) => ('put' in write ? [write.put.pk, { ...write.put, was: write.was }] : [])) as [],
  )
  const account = rows.get(merchantKey(merchants.test.id).pk as never) as unknown as { account: string }
  expect(account.account).toMatch(/^acc_/)
  for (const mode of ['test', 'live'] as const) {
    const { id, secret_key, publishable_key } = merchants[mode]
    const common = { was: 0, version: 1, account: account.account, mode }
    expect(rows.get(merchantKey(id).pk as never)).toMatchObject({ ...common, id, created_by: null })
    for (const [secret, kind] of [
      [secret_key, 'secret'],
      [publishable_key, 'publishable'],
    ] as const)
      expect(rows.get(apiKeyKey(hashOfKey(secret)).pk as never)).toMatchObject({
        ...common,
        merchant: id,
        kind,
        revoked_at: null,
      })
  }
  const items = [...rows.values()] as unknown as { sk: string; hash: string }[]
  const keys = items.filter(({ sk }) => sk === 'api_key')
  const known = [merchants.test, merchants.live].flatMap((each) =>
    [each.secret_key, each.publishable_key].map(hashOfKey),
  )
  expect(keys.map(({ hash }) => hash).sort()).toEqual(known.sort())
  expect(rows.get(recordKey('account', account.account, account.account).pk as never)).toMatchObject({
    ...{ was: 0, version: 1, id: account.account, owner: account.account },
    ...{ test_merchant: merchants.test.id, live_merchant: merchants.live.id },
  })
  expect(rows.size).toBe(11)
})

test('newMerchants stores only the SHA-256 of a key', () => {
  const { merchants, writes } = newMerchants(START)
  const kept = JSON.stringify(writes)
  for (const { secret_key, publishable_key } of Object.values(merchants))
    for (const key of [secret_key, publishable_key]) expect(kept).not.toContain(key.slice(8))
})

test('newMerchants creates unique keys of 32 different letters', () => {
  const keys = Array.from({ length: 200 }, () => newMerchants(START).merchants.test.secret_key.slice(8))
  expect(new Set(keys).size).toBe(200)
  const letters = new Set(keys.join(''))
  expect(letters.size).toBe(32)
})
