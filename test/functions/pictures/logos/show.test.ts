import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { type DocumentType, documentOf, partsWith } from '#test/fixtures/documents.ts'

let api: Api
let account: string
let key: string
beforeAll(async () => {
  api = await openApi()
  const { body } = await api.request('POST /_local/merchants', { key: null })
  account = body.account
  key = body.test.secret_key
})
afterAll(() => api.close())

const see = (path: string, init?: RequestInit) => fetch(`${api.url}/logos/${path}`, init)

async function upload(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  return (await api.request('POST /files', { parts: partsWith(['paper', bytes, 'a.png']), key })).body.id
}

async function setLogo(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const logo = await upload(bytes)
  expect((await api.request(`PATCH /accounts/${account}`, { json: { logo }, key })).status).toBe(200)
  return logo
}

describe('GET /logos/:account/:file', () => {
  test.each<DocumentType>(['image/png', 'image/jpeg', 'image/webp'])(
    'shows the bytes of a logo of type %s without a key, for caches and for pages of any site',
    async (type) => {
      const bytes = documentOf(102_400, type)
      const logo = await setLogo(bytes)
      const reply = await see(`${account}/${logo}`)
      expect(reply.status).toBe(200)
      expect(Object.fromEntries(reply.headers)).toMatchObject({
        'content-type': type,
        'content-length': '102400',
        'cache-control': 'public, max-age=31536000, immutable',
        'x-content-type-options': 'nosniff',
        'content-security-policy': "default-src 'none'; sandbox",
        'cross-origin-resource-policy': 'cross-origin',
        'access-control-allow-origin': '*',
      })
      expect(Buffer.compare(await reply.bytes(), bytes)).toBe(0)
      const head = await see(`${account}/${logo}`, { method: 'HEAD' })
      expect([head.status, head.headers.get('content-type'), await head.text()]).toEqual([200, type, ''])
    },
  )

  test('shows a former logo, because pages that are open can still refer to it', async () => {
    const former = await setLogo(documentOf(500, 'image/png'))
    await setLogo(documentOf(500, 'image/png'))
    await api.request(`PATCH /accounts/${account}`, { json: { logo: null }, key })
    expect((await see(`${account}/${former}`)).status).toBe(200)
  })

  test('answers 404 for every file that never was a logo of this account', async () => {
    const logo = await setLogo(documentOf(500, 'image/png'))
    const image = await upload(documentOf(500, 'image/png'))
    const document = await upload(documentOf(500, 'application/pdf'))
    const refused = await api.request(`PATCH /accounts/${account}`, { json: { logo: document }, key })
    expect(refused.status).toBe(422)
    const { body: other } = await api.request('POST /_local/merchants', { key: null })
    for (const path of [
      ...[image, document, 'fil_1', '..', '%2e%2e%2f', '__proto__', `${logo}%23`, 'x'.repeat(3_000)].map(
        (file) => `${account}/${file}`,
      ),
      ...[`${other.account}/${logo}`, `acc_1/${logo}`, `..%2f${account}/${logo}`, `${api.test.id}/${logo}`],
    ])
      expect((await see(path)).status, path).toBe(404)
  })

  test('keeps a failed change from publishing the file', async () => {
    const image = await upload(documentOf(500, 'image/png'))
    const reply = await api.request(`PATCH /accounts/${account}`, {
      json: { logo: image, display_name: '\u202e' },
      key,
    })
    expect(reply.status).toBe(422)
    expect((await see(`${account}/${image}`)).status).toBe(404)
  })

  test('answers 405 for other methods', async () => {
    const reply = await see(`${account}/fil_1`, { method: 'POST' })
    expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'GET, HEAD'])
  })
})
