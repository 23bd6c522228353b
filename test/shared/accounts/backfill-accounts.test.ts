import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { backfillAccounts } from '#shared/accounts/backfill-accounts.ts'
import type { Item } from '#shared/platform/ports.ts'
import { merchantKey, recordKey } from '#shared/store/keys.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeEach(async () => {
  api = await openApi()
})
afterEach(() => api.close())

const json = { name: 'Sub', default_currency: 'USD', time_zone: 'UTC' }
const show = (id: string, key: string) => api.request(`GET /accounts/${id}`, { key })
const patch = (id: string, content: object, key: string) => api.request(`PATCH /accounts/${id}`, { json: content, key })

async function itemAt(key: { pk: string; sk: string }): Promise<Item | undefined> {
  const [item] = await api.platform.table.get([key])
  return item
}

/** Creates merchants as an older version did, without a record of their account. */
async function oldMerchants(name?: string) {
  const { body } = await api.request('POST /_local/merchants', { json: { name }, key: null })
  await api.platform.table.write([{ delete: recordKey('account', body.account, body.account) }])
  return { account: body.account as string, test: body.test, live: body.live }
}

/** Creates an account as an older version did: neither the record nor the merchants name its owner. */
async function oldAccount() {
  const { body } = await api.request('POST /accounts', { json: { ...json, name: `Sub ${Math.random()}` } })
  const keyBody = { json: { kind: 'secret' } }
  const { key } = (await api.request(`POST /accounts/${body.id}/keys`, keyBody)).body
  const keys = [
    recordKey('account', api.test.id, body.id),
    merchantKey(body.test_merchant),
    merchantKey(body.live_merchant),
  ]
  for (const { owner, account_owner, ...item } of (await api.platform.table.get(keys)) as Record<string, unknown>[])
    await api.platform.table.write([{ put: item as unknown as Item }])
  return { account: body, key: key as string }
}

describe('an account of an older version', () => {
  test('that no merchant created is shown and changed in both modes before it is stored', async () => {
    const { account, test: one, live } = await oldMerchants('Tea house')
    const before = (await show(account, one.secret_key)).body
    expect(before).toMatchObject({ id: account, name: 'Tea house', test_merchant: one.id, live_merchant: null })
    expect((await show(account, live.secret_key)).body).toMatchObject({ test_merchant: null, live_merchant: live.id })
    expect(await itemAt(recordKey('account', account, account))).toBeUndefined()

    const replies = await Promise.all([
      patch(account, { display_name: 'Tea' }, one.secret_key),
      patch(account, { accent_color: '#112233' }, live.secret_key),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200])
    for (const { secret_key } of [one, live])
      expect((await show(account, secret_key)).body).toMatchObject({
        ...{ display_name: 'Tea', accent_color: '#112233', created_at: before.created_at },
        ...{ test_merchant: one.id, live_merchant: live.id },
      })
  })

  test('that a merchant created is open to its merchants once the creator has changed it', async () => {
    const { account, key } = await oldAccount()
    expect((await show(account.id, key)).status).toBe(404)
    expect((await api.request(`GET /accounts/${account.id}`)).body).toEqual(account)
    const { body } = await patch(account.id, { display_name: 'Known' }, api.test.secret_key)
    expect((await show(account.id, key)).body).toEqual(body)
    const { body: changed } = await patch(account.id, { accent_color: '#112233' }, key)
    expect((await api.request(`GET /accounts/${account.id}`)).body).toEqual(changed)
  })
})

describe('backfillAccounts', () => {
  test('completes every account, and changes nothing when it is repeated', async () => {
    const shops = [await oldMerchants('Tea house'), await oldMerchants()]
    const { account, key } = await oldAccount()
    expect(await backfillAccounts(api.platform)).toBe(2 * 2 + 3)
    const before = Array.from(api.platform.table.items())
    expect(await backfillAccounts(api.platform)).toBe(0)
    expect(Array.from(api.platform.table.items())).toEqual(before)
    for (const { account: id, test: one, live } of shops)
      for (const { secret_key } of [one, live])
        expect((await show(id, secret_key)).body).toMatchObject({ test_merchant: one.id, live_merchant: live.id })
    expect((await show(account.id, key)).body).toEqual(account)
    expect((await api.request(`GET /accounts/${account.id}`)).body).toEqual(account)
  })

  test('loses no change of a merchant that it races with, and is safe to run twice at once', async () => {
    const shop = await oldMerchants('Tea house')
    const { account, key } = await oldAccount()
    const [, , ...replies] = await Promise.all([
      backfillAccounts(api.platform),
      backfillAccounts(api.platform),
      patch(shop.account, { display_name: 'Tea' }, shop.test.secret_key),
      patch(shop.account, { accent_color: '#112233' }, shop.live.secret_key),
      patch(account.id, { display_name: 'Sub' }, api.test.secret_key),
    ])
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200])
    await backfillAccounts(api.platform)
    expect((await show(shop.account, shop.live.secret_key)).body).toMatchObject({
      ...{ display_name: 'Tea', accent_color: '#112233', test_merchant: shop.test.id, live_merchant: shop.live.id },
    })
    expect((await show(account.id, key)).body).toMatchObject({ display_name: 'Sub', default_currency: 'USD' })
  })
})
