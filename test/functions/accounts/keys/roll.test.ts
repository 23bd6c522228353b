import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { anAccount, opens } from '#test/functions/accounts/keys/account-keys.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const madeKey = async () => {
  const { id } = await anAccount(api)
  const { body } = await api.request(`POST /accounts/${id}/keys`, { json: { kind: 'secret' } })
  const roll = (json: object = {}) => api.request(`POST /accounts/${id}/keys/${body.id}/roll`, { json })
  return { key: body.key as string, roll }
}

describe('POST /accounts/:id/keys/:key/roll', () => {
  test('returns a new key, and the old key stays valid for the grace time', async () => {
    const { key, roll } = await madeKey()
    const { body } = await roll({ grace_seconds: 60 })
    expect(body).toMatchObject({ resource: 'key', kind: 'secret', revoked_at: null })
    expect(await opens(api, body.key)).toBe(true)
    expect(await opens(api, key)).toBe(true)
    await api.advance(60)
    expect(await opens(api, key)).toBe(false)
    expect(await opens(api, body.key)).toBe(true)
  })

  test('keeps the old key valid for a day by default, and not at all if grace_seconds is 0', async () => {
    const day = await madeKey()
    await day.roll()
    const at_once = await madeKey()
    await at_once.roll({ grace_seconds: 0 })
    expect(await opens(api, at_once.key)).toBe(false)
    await api.advance(86_399)
    expect(await opens(api, day.key)).toBe(true)
    await api.advance(1)
    expect(await opens(api, day.key)).toBe(false)
  })

  test('rolls a key once, also under concurrent requests', async () => {
    const { roll } = await madeKey()
    const replies = await Promise.all([roll(), roll()])
    expect(replies.map(({ status }) => status).sort()).toEqual([200, 422])
    expect((await roll()).body.error.code).toBe('unprocessable_entity')
  })

  test('refuses an unknown key and a grace time out of bounds', async () => {
    const { id } = await anAccount(api)
    for (const key of ['key_none', 'x', 'K'.repeat(300)])
      expect((await api.request(`POST /accounts/${id}/keys/${key}/roll`)).status).toBe(404)
    const { roll } = await madeKey()
    for (const grace_seconds of [-1, 2_592_001, 'x'])
      expect((await roll({ grace_seconds })).body.error.param).toBe('grace_seconds')
  })
})
