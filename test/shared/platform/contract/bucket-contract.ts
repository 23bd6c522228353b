import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Bucket } from '#shared/platform/ports.ts'

/** A bucket, and the origin of its links if they are paths. */
export interface OpenBucket {
  readonly bucket: Bucket
  readonly origin?: string
  close?(): Promise<void>
}

/** The contract of `Bucket`, which every adapter fulfils. */
export function bucketContract(name: string, open: () => Promise<OpenBucket>): void {
  describe(name, () => {
    let opened: OpenBucket
    let bucket: Bucket
    beforeAll(async () => {
      opened = await open()
      bucket = opened.bucket
    })
    afterAll(() => opened.close?.())

    const options = {
      content_disposition: "attachment; filename*=UTF-8''%E8%AC%84%E6%9C%AC%20%28it%27s%29%2A.pdf",
      content_type: 'application/pdf',
      seconds: 300,
    }
    const follow = async (object: string, changed: (link: string) => string = (link) => link) => {
      const link = new URL(await bucket.link(object, options), opened.origin).href
      return fetch(changed(link))
    }

    test.each([1, 1_000, 4 * 1024 * 1024])('links to the %d bytes that were put', async (size) => {
      const bytes = Uint8Array.from({ length: size }, (_, at) => (at * 7 + (at >> 8)) & 255)
      await bucket.put('mer_1/fil_1', bytes, 'application/pdf')
      const reply = await follow('mer_1/fil_1')
      expect(reply.status).toBe(200)
      expect(reply.headers.get('content-disposition')).toBe(options.content_disposition)
      expect(reply.headers.get('content-type')).toBe(options.content_type)
      expect(reply.headers.get('cache-control')).toBe('no-store')
      expect(Buffer.compare(await reply.bytes(), bytes)).toBe(0)
    })

    test('returns the bytes that were put, and undefined for a name without an object', async () => {
      const bytes = Uint8Array.from({ length: 100_000 }, (_, at) => (at * 7) & 255)
      await bucket.put('logos/acc_1/fil_1', bytes, 'image/png')
      expect(Buffer.compare((await bucket.get('logos/acc_1/fil_1'))!, bytes)).toBe(0)
      expect(await bucket.get('logos/acc_1/never')).toBeUndefined()
    })

    test('keeps the last content of each name', async () => {
      await bucket.put('mer_1/fil_2', Buffer.from('one'), 'image/png')
      await bucket.put('mer_1/fil_3', Buffer.from('other'), 'image/png')
      await bucket.put('mer_1/fil_2', Buffer.from('two'), 'image/png')
      expect(await (await follow('mer_1/fil_2')).text()).toBe('two')
      expect(await (await follow('mer_1/fil_3')).text()).toBe('other')
    })

    test('accepts concurrent puts of the same object', async () => {
      const bytes = Buffer.alloc(100_000, 'x')
      await Promise.all(Array.from({ length: 8 }, () => bucket.put('mer_1/fil_4', bytes, 'image/png')))
      expect((await (await follow('mer_1/fil_4')).bytes()).length).toBe(100_000)
    })

    test('removes an object, and does nothing if there is none', async () => {
      await bucket.put('mer_1/fil_5', Buffer.from('one'), 'image/png')
      await bucket.remove('mer_1/fil_5')
      await bucket.remove('mer_1/fil_5')
      await bucket.remove('mer_1/never')
      const reply = await follow('mer_1/fil_5')
      expect([403, 404]).toContain(reply.status)
      await reply.text()
    })
  })
}
