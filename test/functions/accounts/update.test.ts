import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { type DocumentType, documentOf, partsWith } from '#test/fixtures/documents.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const fields = (name: string) => ({ name, default_currency: 'JPY', time_zone: 'Asia/Tokyo' })

const patch = (id: string, json: object, key = api.test.secret_key) =>
  api.request(`PATCH /accounts/${id}`, { json, key })

/** Creates merchants without a creator, and returns the id of their account and the key of each. */
async function newShop() {
  const { body } = await api.request('POST /_local/merchants', { json: { name: 'Tea house' }, key: null })
  return { id: body.account as string, test: body.test.secret_key as string, live: body.live.secret_key as string }
}

async function upload(size: number, type: DocumentType, key = api.test.secret_key): Promise<string> {
  const parts = partsWith(['paper', documentOf(size, type), 'logo'])
  return (await api.request('POST /files', { parts, key })).body.id
}

describe('PATCH /accounts/:id', () => {
  test('changes the currency and the time zone that the request names, and nothing else', async () => {
    const { body: before } = await api.request('POST /accounts', { json: fields('Before') })
    await api.advance(60)
    const path = `PATCH /accounts/${before.id}`
    const updated_at = '2030-01-02T03:01:00Z'
    const { body: currency } = await api.request(path, { form: { default_currency: 'KRW' } })
    expect(currency).toEqual({ ...before, default_currency: 'KRW', updated_at })
    const { body: zone } = await api.request(path, { json: { time_zone: 'Asia/Seoul', name: 'After' } })
    expect(zone).toEqual({ ...currency, time_zone: 'Asia/Seoul' })
    for (const refused of [{ default_currency: null }, { default_currency: 'X' }, { time_zone: '' }])
      expect((await api.request(path, { json: refused })).body.error.param).toBe(Object.keys(refused)[0])
    expect((await api.request(path.replace('PATCH', 'GET'))).body).toEqual(zone)
  })

  test.each([
    ['display_name', ' 山田茶屋 ', '山田茶屋'],
    ['display_name', 'x'.repeat(255), 'x'.repeat(255)],
    ['display_name', 'x', 'x'],
    ['display_name', 'מאפיית הזית', 'מאפיית הזית'],
    ['display_name', '👩‍🍳 Bakery', '👩‍🍳 Bakery'],
    ['display_name', 'می‌خانه', 'می‌خانه'],
    ['display_name', '<script>alert(1)</script>', '<script>alert(1)</script>'],
    ['accent_color', '#2546D2', '#2546d2'],
  ])('sets %s to %j, which null and the empty field of a form clear', async (name, sent, shown) => {
    const { id, test: key } = await newShop()
    expect((await patch(id, { [name]: sent }, key)).body[name]).toBe(shown)
    expect((await patch(id, { default_currency: 'KRW' }, key)).body[name]).toBe(shown)
    expect((await patch(id, { [name]: null }, key)).body[name]).toBeNull()
    await patch(id, { [name]: sent }, key)
    expect((await api.request(`PATCH /accounts/${id}`, { form: { [name]: '' }, key })).body[name]).toBeNull()
  })

  test.each([
    ['display_name', 'x'.repeat(256)],
    ['display_name', '   '],
    ['display_name', '\u200d'],
    ['display_name', 'Pay\u202eevil'],
    ['display_name', 'a\nb'],
    ['display_name', 'ac\u200bme'],
    ['display_name', 7],
    ['display_name', ['a']],
    ['accent_color', 'red'],
    ['accent_color', '#fff'],
    ['accent_color', '#12345g'],
    ['accent_color', '#2546d2;}'],
    ['accent_color', '#2546d2ff'],
    ['accent_color', 0x2546d2],
    ['logo', 'fil_none'],
    ['logo', '../fil_1'],
    ['logo', 'x'.repeat(5_000)],
    ['logo', {}],
    ['logo', 7],
  ])('refuses %s %j and names the parameter', async (param, sent) => {
    const { id, test: key } = await newShop()
    const reply = await patch(id, { [param]: sent }, key)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param })
    expect(reply.body.error.message).toMatch(new RegExp(`^${param} must `))
    expect((await api.request(`GET /accounts/${id}`, { key })).body[param]).toBeNull()
  })

  test.each(['image/png', 'image/jpeg', 'image/webp'] as const)('takes %s of 100 KB as a logo', async (type) => {
    const { id, test: key } = await newShop()
    const logo = await upload(102_400, type, key)
    expect((await patch(id, { logo }, key)).body.logo).toBe(logo)
    expect((await patch(id, { logo: null }, key)).body.logo).toBeNull()
    expect((await patch(id, { logo }, key)).body.logo).toBe(logo)
  })

  test.each([
    [102_401, 'image/png', 'logo must have at most 100 KB'],
    [1_000, 'application/pdf', 'logo must be a PNG, JPEG or WEBP.'],
    [1_000, 'image/heic', 'logo must be a PNG, JPEG or WEBP.'],
  ] as const)('refuses a logo of %d bytes of %s and says what to do', async (size, type, message) => {
    const { id, test: key } = await newShop()
    const reply = await patch(id, { logo: await upload(size, type, key) }, key)
    expect(refusalIn(reply)).toEqual({ status: 422, code: 'invalid_parameter', param: 'logo' })
    expect(reply.body.error.message).toContain(message)
    expect(reply.body.error.message).toContain('POST /files')
  })

  test('refuses a file of another merchant as a logo, and accepts the present logo from each merchant', async () => {
    const { id, test: key, live } = await newShop()
    const logo = await upload(500, 'image/png', key)
    for (const other of [live, api.test.secret_key]) {
      const reply = await patch(id, { logo }, other)
      expect(refusalIn(reply).status).toBe(other === live ? 422 : 404)
    }
    await patch(id, { logo }, key)
    expect((await patch(id, { logo, accent_color: '#ff0000' }, live)).body).toMatchObject({
      ...{ logo, accent_color: '#ff0000' },
    })
  })

  test('lets both merchants of an account and its creator change it, and shows each the changes of the others', async () => {
    const { body: account } = await api.request('POST /accounts', { json: fields('Own') })
    const keyOf = async (creator: string, mode: string) =>
      (await api.request(`POST /accounts/${account.id}/keys`, { json: { kind: 'secret', mode }, key: creator })).body
    const own = (await keyOf(api.test.secret_key, 'test')).key
    const acting = { authorization: `Basic ${btoa(`${api.live.secret_key}:${account.live_merchant}`)}` }
    expect((await patch(account.id, { display_name: 'By test' }, own)).status).toBe(200)
    const path = `PATCH /accounts/${account.id}`
    const live = await api.request(path, { json: { accent_color: '#112233' }, key: null, headers: acting })
    expect(live.body).toMatchObject({ display_name: 'By test', accent_color: '#112233' })
    const { body } = await patch(account.id, { time_zone: 'UTC' })
    expect(body).toMatchObject({ display_name: 'By test', accent_color: '#112233', time_zone: 'UTC' })
    for (const key of [own, api.test.secret_key])
      expect((await api.request(`GET /accounts/${account.id}`, { key })).body).toEqual(body)
  })

  test('loses no change of concurrent requests in both modes', async () => {
    const { id, test: key, live } = await newShop()
    const changes = [
      ...[{ display_name: 'Together' }, { time_zone: 'UTC' }].map((json) => patch(id, json, key)),
      ...[{ accent_color: '#112233' }, { default_currency: 'KRW' }].map((json) => patch(id, json, live)),
    ]
    const statuses = (await Promise.all(changes)).map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 200, 200])
    expect((await api.request(`GET /accounts/${id}`, { key: live })).body).toMatchObject({
      ...{ display_name: 'Together', time_zone: 'UTC', accent_color: '#112233', default_currency: 'KRW' },
    })
  })

  test('sets the same logo once under concurrent requests', async () => {
    const { id, test: key } = await newShop()
    const logo = await upload(500, 'image/png', key)
    const replies = await Promise.all([1, 2, 3].map(() => patch(id, { logo }, key)))
    expect(replies.map(({ status, body }) => [status, body.logo])).toEqual(Array(3).fill([200, logo]))
  })
})

test('PATCH /accounts/:id answers 404 for an unknown id and for an account of another merchant', async () => {
  const { secret_key: key } = (await api.newMerchants()).test
  const { body: account } = await api.request('POST /accounts', { json: fields('Of another'), key })
  const { id, test: own } = await newShop()
  const stranger = (await newShop()).live
  for (const [other, by] of [
    ['acc_1', api.test.secret_key],
    [account.id, api.test.secret_key],
    [account.id, own],
    [id, api.test.secret_key],
    [id, stranger],
    [id, api.live.secret_key],
  ]) {
    const reply = await patch(other, { default_currency: 'KRW' }, by)
    expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
  }
})

test('PATCH /accounts/:id refuses a publishable key of the account', async () => {
  const { body } = await api.request('POST /_local/merchants', { key: null })
  const reply = await patch(body.account, { display_name: 'x' }, body.test.publishable_key)
  expect(reply.status).toBe(403)
})
