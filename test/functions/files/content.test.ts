import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'

const bytes = documentOf(10_000, 'image/webp')
let api: Api
let id: string
beforeAll(async () => {
  api = await openApi()
  id = (await api.request('POST /files', { parts: partsWith(['paper', bytes, '写真.webp']) })).body.id
})
afterAll(() => api.close())

const linkNow = async () => {
  const reply = await api.request(`GET /files/${id}/content`, { redirect: 'manual' })
  expect(reply.status).toBe(302)
  return { reply, link: reply.headers.get('location')! }
}

describe('GET /files/:id/content', () => {
  test('redirects to an absolute URL that needs no key and serves the file under its name', async () => {
    const { reply, link } = await linkNow()
    expect(link.startsWith(`${api.url}/`)).toBe(true)
    expect(reply.body).toMatchObject({ id, resource: 'file', size: 10_000 })
    expect(reply.headers.get('cache-control')).toBe('no-store')
    const content = await fetch(link)
    expect(content.headers.get('content-type')).toBe('image/webp')
    expect(content.headers.get('content-disposition')).toBe("attachment; filename*=UTF-8''%E5%86%99%E7%9C%9F.webp")
    expect(Buffer.compare(await content.bytes(), bytes)).toBe(0)
  })

  test('creates a new link on each call, and each link expires after five minutes', async () => {
    const { link } = await linkNow()
    await api.advance(299)
    expect((await fetch(link)).status).toBe(200)
    const later = await linkNow()
    await api.advance(1)
    expect((await fetch(link)).status).toBe(403)
    expect((await fetch(later.link)).status).toBe(200)
  })

  test('refuses other merchants, the other mode, publishable keys and requests without a key', async () => {
    for (const key of [api.live.secret_key, (await api.newMerchants()).test.secret_key])
      expectEnvelope(await api.request(`GET /files/${id}/content`, { key, redirect: 'manual' }), 'not_found')
    for (const key of [null, api.test.publishable_key])
      expect((await api.request(`GET /files/${id}/content`, { key, redirect: 'manual' })).status).toBeGreaterThan(400)
  })
})
