import { describe, expect, test } from 'vitest'
import type { Service } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'

/** Journeys of documents that a merchant uploads and downloads. */
export function fileJourneys(service: () => Service): void {
  describe('files', () => {
    const request: Service['request'] = (route, options) => service().request(route, options)

    test('a file is uploaded once, shown, and downloaded unchanged under its own name', async () => {
      const bytes = documentOf(4 * 1024 * 1024, 'image/jpeg')
      const parts = () => partsWith(['paper', bytes, '免許証 (表).jpg'])
      const headers = { 'idempotency-key': 'a paper' }
      const made = await request('POST /files', { parts: parts(), headers })
      const expected = { resource: 'file', filename: '免許証 (表).jpg', size: bytes.length, mime_type: 'image/jpeg' }
      expect([made.status, made.body]).toMatchObject([200, expected])
      const again = await request('POST /files', { parts: parts(), headers })
      expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([made.text, 'true'])
      expect((await request(`GET /files/${made.body.id}`)).body).toEqual(made.body)

      const sent_on = await request(`GET /files/${made.body.id}/content`, { redirect: 'manual' })
      expect(sent_on.status).toBe(302)
      const content = await fetch(sent_on.headers.get('location')!)
      expect([content.status, content.headers.get('content-type')]).toEqual([200, 'image/jpeg'])
      expect(content.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''%E5%85%8D/)
      expect(Buffer.compare(await content.bytes(), bytes)).toBe(0)
    })

    test('a file is hidden from other merchants, and other types of document are refused', async () => {
      const { body } = await request('POST /files', { parts: partsWith(['paper', documentOf(100), 'a.pdf']) })
      const { secret_key } = (await service().newMerchants()).test
      expect((await request(`GET /files/${body.id}/content`, { key: secret_key })).status).toBe(404)
      const zip = Uint8Array.from(Buffer.from('PK\u0003\u0004'))
      const refused = await request('POST /files', { parts: partsWith(['paper', zip, 'a.pdf']) })
      expect([refused.status, refused.body.error.param]).toEqual([422, 'paper'])
    })
  })
}
