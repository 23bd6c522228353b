import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type FaultyEndpoint, faults, forwardedTo, oneIn, startFaultyEndpoint } from '#test/faults/faulty-endpoint.ts'
import { Client, travel } from '#test/faults/retrying-client.ts'
import { type AwsApi, openAwsApi } from '#test/fixtures/aws-api.ts'

/** Requests enough to meet each fault often, with one call in twenty failing; moto answers one call at a time. */
const REQUESTS = 200

describe('with one call in twenty failing beneath the SDK', () => {
  let endpoint: FaultyEndpoint
  let api: AwsApi
  beforeAll(async () => {
    endpoint = await startFaultyEndpoint(forwardedTo(process.env.AWS_ENDPOINT_URL!))
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url)
    api = await openAwsApi()
  })
  afterAll(async () => {
    await api.close()
    vi.unstubAllEnvs()
    await endpoint.stop()
  })

  test('hardly a request is answered with 5xx, and all do in the end what they should', async () => {
    const client = new Client(api, api.test.secret_key)
    endpoint.plan = oneIn(20, 1)
    const wrong = await travel(client, REQUESTS, 4)
    const met = { ...endpoint.met }
    endpoint.plan = () => 'ok'
    const failed = client.sent.filter(({ first }) => first >= 500)
    console.info(`${client.sent.length} requests, ${JSON.stringify(met)}, ${failed.length} answered with 5xx at first`)
    for (const fault of faults) expect(met[fault], fault).toBeGreaterThan(5)
    expect(failed.length, JSON.stringify(failed)).toBeLessThanOrEqual(REQUESTS / 100)
    expect(wrong).toEqual([])
  })
})
