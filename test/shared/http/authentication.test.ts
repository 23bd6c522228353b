import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authenticate } from '#shared/http/authentication.ts'
import { publishable, type Route, servedRoutes } from '#shared/routes.ts'
import type { Credential } from '#shared/store/api-keys.ts'
import { apiKeyKey, hashOfKey, merchantKey } from '#shared/store/keys.ts'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi, START } from '#test/fixtures/api.ts'

let api: Api
let account: string
beforeAll(async () => {
  api = await openApi()
  account = (await keyRow(api.test.secret_key)).account
})
afterAll(() => api.close())

const keyRow = async (secret: string): Promise<Credential> => {
  const [item] = await api.platform.table.get([apiKeyKey(hashOfKey(secret))])
  return item as unknown as Credential
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

/** The mode and merchant that the header authenticates, or the code of the refusal. */
async function caller(header: string | undefined, route: Route = 'GET /payments', now = START) {
  try {
    const { merchant, mode } = await authenticate(api.platform.table, header, route, now)
    return `${mode} ${merchant}`
  } catch (error) {
    return (error as { code?: string }).code ?? error
  }
}

/** Creates a merchant that the account of the caller has created. */
async function subMerchant(id: string, fields: object = {}): Promise<string> {
  const row = { version: 1, id, account: 'acc_sub', mode: 'test', created_by: account, ...fields }
  await api.platform.table.write([{ put: { ...merchantKey(id), ...row } }])
  return id
}

describe('authenticate', () => {
  test.each<[string, (key: string) => string]>([
    ['in the form of the API reference', (key) => `Basic ${base64(`${key}:`)}`],
    ['without the colon', (key) => `Basic ${base64(key)}`],
    ['with the scheme in lower case', (key) => `basic ${base64(`${key}:`)}`],
    ['with the scheme in upper case', (key) => `BASIC ${base64(`${key}:`)}`],
    ['without padding', (key) => `Basic ${base64(`${key}:`).replaceAll('=', '')}`],
  ])('accepts a header %s', async (_, header) => {
    expect(await caller(header(api.test.secret_key))).toBe(`test ${api.test.id}`)
    expect(await caller(header(api.live.secret_key))).toBe(`live ${api.live.id}`)
  })

  test.each<[string, (key: string) => string | undefined]>([
    ['missing', () => undefined],
    ['empty', () => ''],
    ['of another scheme', (key) => `Bearer ${key}`],
    ['without credentials', () => 'Basic'],
    ['not encoded', (key) => `Basic ${key}:`],
    ['with an unknown key', (key) => `Basic ${base64(`${key.slice(0, -1)}${key.endsWith('0') ? '1' : '0'}:`)}`],
    ['with a key in upper case', (key) => `Basic ${base64(`${key.toUpperCase()}:`)}`],
    ['with an extra character after the key', (key) => `Basic ${base64(`${key}0:`)}`],
    ['with the key as the password', (key) => `Basic ${base64(`:${key}`)}`],
    ['with a password', (key) => `Basic ${base64(`${key}:secret`)}`],
    ['with no key', () => `Basic ${base64('merchant:')}`],
    ['with a very long key', () => `Basic ${base64(`sk_test_${'a'.repeat(100_000)}:`)}`],
  ])('refuses a header that is %s as unauthorized', async (_, header) => {
    expect(await caller(header(api.test.secret_key))).toBe('unauthorized')
  })

  test('over HTTP, answers 401 and asks for Basic authentication', async () => {
    const reply = await api.request('GET /payments', { key: 'sk_test_unknown' })
    expect(refusalIn(reply)).toEqual({ status: 401, code: 'unauthorized', param: null })
    expect(reply.headers.get('www-authenticate')).toMatch(/^Basic /)
  })
})

describe('authenticate with a revoked key', () => {
  const revoke = async (revoked_at: number) => {
    const { test: merchant } = await api.newMerchants()
    const row = await keyRow(merchant.secret_key)
    await api.platform.table.write([
      { put: { ...row, ...apiKeyKey(hashOfKey(merchant.secret_key)), version: 2, revoked_at } },
    ])
    return { header: `Basic ${base64(`${merchant.secret_key}:`)}`, good: `test ${merchant.id}` }
  }

  test.each([
    ['long ago', -1_000_000, 'unauthorized'],
    ['now', 0, 'unauthorized'],
    ['in a millisecond', 1, 'good'],
  ])('a key that is revoked %s is %s', async (_, after, expected) => {
    const { header, good } = await revoke(START + after)
    expect(await caller(header)).toBe(expected === 'good' ? good : expected)
  })

  test('accepts the key during its grace time and no longer', async () => {
    const { header, good } = await revoke(START + 60_000)
    expect(await caller(header, 'GET /payments', START + 59_999)).toBe(good)
    expect(await caller(header, 'GET /payments', START + 60_000)).toBe('unauthorized')
  })
})

describe('authenticate with a publishable key', () => {
  const routes = servedRoutes().map(({ route }) => route)
  const may = [
    'POST /tokens',
    'POST /secure_tokens',
    'GET /secure_tokens/:id',
    'GET /sessions/:id',
    'POST /sessions/:id/pay',
    'GET /payment_methods',
  ]

  test.each(routes)('on %s, accepts the key only if the route is for browsers', async (route) => {
    const header = `Basic ${base64(`${api.test.publishable_key}:`)}`
    expect(await caller(header, route)).toBe(may.includes(route) ? `test ${api.test.id}` : 'forbidden')
    expect(publishable.has(route)).toBe(may.includes(route))
  })

  test('refuses a valid key with 403 and a revoked key with 401', async () => {
    const { test: merchant } = await api.newMerchants()
    const key = merchant.publishable_key
    const refusal = async () => refusalIn(await api.request('GET /payments', { key }))
    expect(await refusal()).toEqual({ status: 403, code: 'forbidden', param: null })
    const row = await keyRow(key)
    await api.platform.table.write([{ put: { ...row, ...apiKeyKey(hashOfKey(key)), version: 2, revoked_at: START } }])
    expect(await refusal()).toMatchObject({ status: 401, code: 'unauthorized' })
  })
})

describe('authenticate with a password', () => {
  const by = (secret: string, password: string, route?: Route) =>
    caller(`Basic ${base64(`${secret}:${password}`)}`, route)

  test('acts as the merchant that the password names, if the caller has created that merchant', async () => {
    const sub = await subMerchant('mer_sub')
    expect(await by(api.test.secret_key, sub)).toBe(`test ${sub}`)
    expect(await by(api.test.publishable_key, sub, 'POST /tokens')).toBe(`test ${sub}`)
    expect(await by(api.test.publishable_key, sub)).toBe('forbidden')
    const authorization = `Basic ${base64(`${api.test.secret_key}:${sub}`)}`
    const json = { amount: 100, currency: 'JPY', payment_details: card() }
    const { body } = await api.request('POST /payments', { json, headers: { authorization } })
    expect(body.status).toBe('captured')
    expect((await api.request(`GET /payments/${body.id}`)).status).toBe(404)
    expect((await api.request(`GET /payments/${body.id}`, { headers: { authorization } })).status).toBe(200)
  })

  test('refuses a password that names any other merchant as unauthorized', async () => {
    const { test: other } = await api.newMerchants()
    const live = await subMerchant('mer_sublive', { mode: 'live' })
    const foreign = await subMerchant('mer_foreign', { created_by: 'acc_other' })
    const orphan = await subMerchant('mer_orphan', { created_by: null })
    for (const password of [
      api.test.id,
      api.live.id,
      other.id,
      live,
      foreign,
      orphan,
      'mer_unknown',
      '#',
      'm'.repeat(9999),
    ])
      expect(await by(api.test.secret_key, password), password).toBe('unauthorized')
    const authorization = `Basic ${base64(`${api.test.secret_key}:secret`)}`
    const { body } = await api.request('GET /payments', { headers: { authorization } })
    expect(body.error.message).toBe(
      'The password of HTTP Basic must be empty or the id of a merchant that you may act for.',
    )
    expect(await by(api.live.secret_key, live)).toBe(`live ${live}`)
  })
})
