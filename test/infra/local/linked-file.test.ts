import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'

const options = { content_disposition: "attachment; filename*=UTF-8''a.png", content_type: 'image/png', seconds: 300 }

let api: Api
let link: string
beforeAll(async () => {
  api = await openApi()
  await api.platform.bucket.put('mer_1/fil_1', Buffer.from([0, 255, 128, 10]))
  link = await api.platform.bucket.link('mer_1/fil_1', options)
})
afterAll(() => api.close())

describe('a link to a file of a local run', () => {
  test('returns the bytes without a key, as a download with the type of the file', async () => {
    const reply = await fetch(api.url + link)
    expect([...(await reply.bytes())]).toEqual([0, 255, 128, 10])
    expect(Object.fromEntries(reply.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-disposition': "attachment; filename*=UTF-8''a.png",
      'content-length': '4',
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
    })
  })

  test.each([
    ['changed', (sent: string) => sent.replace('image', 'text')],
    ['cut short', (sent: string) => sent.slice(0, -1)],
    ['for another file', (sent: string) => sent.replace('fil_1', 'fil_2')],
    ['given two expiries', (sent: string) => `${sent.replace('expires=', 'expires=99999999999999&expires=')}`],
    ['stripped of its query', (sent: string) => sent.replace(/\?.*/, '')],
  ])('is refused when it is %s', async (_, change) => {
    expectEnvelope(await api.request(`GET ${change(link)}`, { key: null }), 'forbidden')
  })

  test('is not found with POST, PUT or DELETE', async () => {
    for (const method of ['POST', 'PUT', 'DELETE'])
      expectEnvelope(await api.request(`${method} ${link}`, { key: null }), 'not_found')
  })

  test('is refused after its expiry', async () => {
    await api.advance(300)
    expectEnvelope(await api.request(`GET ${link}`, { key: null }), 'forbidden')
  })
})
