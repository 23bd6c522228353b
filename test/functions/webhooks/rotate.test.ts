import { createHmac } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { allKept, eventsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { openReceiver, type Received, type Receiver } from '#test/fixtures/receiver.ts'

let api: Api
let receiver: Receiver
beforeAll(async () => {
  api = await openApi()
  receiver = await openReceiver()
})
beforeEach(() => {
  receiver.received.splice(0)
})
afterAll(async () => {
  await api.close()
  await receiver.close()
})

const make = async (secret_token?: string) => {
  const json = { url: receiver.origin, event_list: ['customer.created'], secret_token }
  return (await api.request('POST /webhooks', { json })).body
}
const rotate = (id: string, json: object, key = api.test.secret_key) =>
  api.request(`POST /webhooks/${id}/rotate`, { json, key })

/** Sends a ping to the webhook and returns the request that arrived. */
async function pinged(id: string): Promise<Received> {
  await api.advance(0)
  receiver.received.splice(0)
  await api.request(`POST /webhooks/${id}/ping`)
  await api.advance(0)
  return receiver.received[0]!
}

/**
 * The secrets that signed the request: all of them by the Standard Webhooks header, the current one by
 * `X-Service-Signature`.
 */
function signers({ headers, body }: Received, secrets: readonly string[]) {
  const signed = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`
  const wanted = String(headers['webhook-signature']).split(' ')
  return {
    all: wanted.map((signature) =>
      secrets.find((secret) => signature === `v1,${createHmac('sha256', secret).update(signed).digest('base64')}`),
    ),
    current: secrets.find(
      (secret) => headers['x-service-signature'] === createHmac('sha256', secret).update(body).digest('hex'),
    ),
  }
}

describe('POST /webhooks/:id/rotate', () => {
  test('returns the webhook without a secret, signs with both secrets within the grace time, and with the new one after it', async () => {
    const made = await make('old canary')
    const { status, body } = await rotate(made.id, { secret_token: 'new canary', grace_seconds: 100 })
    expect([status, body]).toEqual([200, made])
    expect(await eventsOf(api, made.id)).toHaveLength(1)
    const both = signers(await pinged(made.id), ['old canary', 'new canary'])
    expect(both).toEqual({ all: ['new canary', 'old canary'], current: 'new canary' })
    await api.advance(99)
    expect(signers(await pinged(made.id), ['old canary', 'new canary'])).toEqual(both)
    await api.advance(1)
    const after = signers(await pinged(made.id), ['old canary', 'new canary'])
    expect(after).toEqual({ all: ['new canary'], current: 'new canary' })
    expect(allKept(api) + JSON.stringify(api.logs)).not.toContain('canary')
  })

  test('uses a grace time of a day by default, and none if grace_seconds is 0', async () => {
    const { id } = await make('a')
    await rotate(id, { secret_token: 'b' })
    await api.advance(86_399)
    expect(signers(await pinged(id), ['a', 'b']).all).toEqual(['b', 'a'])
    await api.advance(1)
    expect(signers(await pinged(id), ['a', 'b']).all).toEqual(['b'])
    await rotate(id, { secret_token: 'c', grace_seconds: '0' })
    expect(signers(await pinged(id), ['a', 'b', 'c'])).toEqual({ all: ['c'], current: 'c' })
  })

  test('keeps the last two secrets after a second rotation within the grace time', async () => {
    const { id } = await make('a')
    await rotate(id, { secret_token: 'b' })
    await rotate(id, { secret_token: 'c', grace_seconds: 60 })
    expect(signers(await pinged(id), ['a', 'b', 'c'])).toEqual({ all: ['c', 'b'], current: 'c' })
  })

  test('sets the first secret of a webhook without one', async () => {
    const { id } = await make()
    const before = await pinged(id)
    expect(Object.keys(before.headers).filter((name) => /signature|^webhook-/.test(name))).toEqual([])
    await rotate(id, { secret_token: 'first' })
    expect(signers(await pinged(id), ['first'])).toEqual({ all: ['first'], current: 'first' })
  })

  test('accepts a form, and rotates once for an Idempotency-Key', async () => {
    const { id } = await make('a')
    const form = { secret_token: 'b', grace_seconds: '60' }
    const options = { form, headers: { 'idempotency-key': 'a rotation' } }
    for (let time = 0; time < 2; time++)
      expect((await api.request(`POST /webhooks/${id}/rotate`, options)).status).toBe(200)
    expect(signers(await pinged(id), ['a', 'b']).all).toEqual(['b', 'a'])
  })

  test.each<[object, string, string]>([
    [{}, 'missing_parameter', 'secret_token'],
    [{ secret_token: null }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: '' }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: ['b'] }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: 'x'.repeat(256) }, 'invalid_parameter', 'secret_token'],
    [{ secret_token: 'b', grace_seconds: -1 }, 'invalid_parameter', 'grace_seconds'],
    [{ secret_token: 'b', grace_seconds: 2_592_001 }, 'invalid_parameter', 'grace_seconds'],
    [{ secret_token: 'b', grace_seconds: 'long' }, 'invalid_parameter', 'grace_seconds'],
  ])('refuses %j with %s of %s and keeps the secret', async (json, code, param) => {
    const { id } = await make('a')
    expect(refusalIn(await rotate(id, json))).toEqual({ status: 422, code, param })
    expect(signers(await pinged(id), ['a', 'b'])).toEqual({ all: ['a'], current: 'a' })
  })

  test('answers 404 for an unknown id and for a webhook of another mode', async () => {
    const { id } = await make('a')
    for (const reply of [
      await rotate('whk_1', { secret_token: 'b' }),
      await rotate(id, { secret_token: 'b' }, api.live.secret_key),
    ])
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
    expect(signers(await pinged(id), ['a', 'b']).current).toBe('a')
  })
})
