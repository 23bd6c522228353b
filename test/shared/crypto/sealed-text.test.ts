import { afterAll, beforeAll, expect, test } from 'vitest'
import { openText, sealText } from '#shared/crypto/sealed-text.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

let service: Api
beforeAll(async () => {
  service = await openApi()
})
afterAll(() => service.close())

test.each(['a', 'whsec_カギ', 'x'.repeat(4_096), '"\\\u0000'])(
  'openText returns the text that sealText sealed (%#)',
  async (text) => {
    const sealed = await sealText(service.work(), 'webhook_secret', 'whk_1', text)
    expect(await openText(service.work(), 'webhook_secret', 'whk_1', sealed)).toBe(text)
  },
)

test('openText throws SealBroken for another purpose, record or merchant, and for changed bytes', async () => {
  const sealed = await sealText(service.work(), 'webhook_secret', 'whk_1', 'a secret')
  const other = service.work({ merchant: 'mer_other' })
  await expect(openText(service.work(), 'payment_details', 'whk_1', sealed)).rejects.toThrow(SealBroken)
  await expect(openText(service.work(), 'webhook_secret', 'whk_2', sealed)).rejects.toThrow(SealBroken)
  await expect(openText(other, 'webhook_secret', 'whk_1', sealed)).rejects.toThrow(SealBroken)
  await expect(openText(service.work(), 'webhook_secret', 'whk_1', `${sealed.slice(0, -8)}AAAAAAA=`)).rejects.toThrow(
    SealBroken,
  )
})

test('sealText returns base64 that hides the text and differs each time', async () => {
  const seal = () => sealText(service.work(), 'webhook_secret', 'whk_1', 'a secret')
  const [one, other] = [await seal(), await seal()]
  expect(one).toMatch(/^[\w+/]+=*$/)
  expect(Buffer.from(one, 'base64').toString('latin1')).not.toContain('secret')
  expect(one).not.toBe(other)
})
