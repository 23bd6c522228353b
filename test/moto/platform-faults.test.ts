import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type FaultyEndpoint, faults, forwardedTo, oneIn, startFaultyEndpoint } from '#test/faults/faulty-endpoint.ts'
import { Client, travel } from '#test/faults/retrying-client.ts'
import { type AwsApi, openAwsApi } from '#test/moto/aws-api.ts'

/**
 * With one call in twenty failing, this many requests meet each fault several times. moto answers one call at a
 * time, so more requests would take too long.
 */
const REQUESTS = 200

describe('with one in twenty calls of the SDK failing', () => {
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

  test('at most one in a hundred requests gets a 5xx on its first try, and all end with the expected results', async () => {
    const client = new Client(api, api.test.secret_key)
    endpoint.plan = oneIn(20, 1)
    const wrong = await travel(client, REQUESTS, 4)
    const met = { ...endpoint.met }
    endpoint.plan = () => 'ok'
    const failed = client.sent.filter(({ first }) => first >= 500)
    console.info(
      `${client.sent.length} requests, ${JSON.stringify(met)}, ${failed.length} answered with 5xx on the first try`,
    )
    for (const fault of faults) expect(met[fault], fault).toBeGreaterThan(5)
    expect(failed.length, JSON.stringify(failed)).toBeLessThanOrEqual(REQUESTS / 100)
    expect(wrong).toEqual([])
  })
})
