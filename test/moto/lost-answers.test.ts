import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import { systemClock } from '#shared/platform/aws/system-clock.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { type CuttingProxy, startCuttingProxy } from '#test/support/cutting-proxy.ts'
import { createTable } from '#test/support/moto.ts'

/* moto ignores a ClientRequestToken, so here nothing but the versions tells a send from the one before. */
describe('a table whose answers get lost', () => {
  let proxy: CuttingProxy
  let table: DynamodbTable
  beforeAll(async () => {
    const name = await createTable()
    proxy = await startCuttingProxy(process.env.AWS_ENDPOINT_URL!)
    vi.stubEnv('AWS_ENDPOINT_URL', proxy.url)
    table = new DynamodbTable(name, systemClock)
  })
  afterAll(() => {
    vi.unstubAllEnvs()
    proxy.stop()
  })
  beforeEach(() => {
    proxy.requests = 0
  })

  const item = (sk: string, version: number) => ({ pk: 'p', sk, version })

  test.each([
    ['one item', [{ put: item('alone', 1), was: 0 }]],
    [
      'a transaction',
      [
        { put: item('a', 1), was: 0 },
        { put: item('b', 1), was: 0 },
      ],
    ],
  ])('never takes its own write of %s for that of someone else', async (_, writes) => {
    proxy.cut = 1
    await expect(table.write(writes)).rejects.toBeInstanceOf(PlatformUnavailable)
    expect(proxy.requests).toBe(2)
    expect(await table.get(writes.map(({ put }) => put))).toEqual(writes.map(({ put }) => put))
  })

  test('reads again', async () => {
    proxy.cut = 2
    expect(await table.get([item('nothing', 0)])).toEqual([undefined])
    expect(proxy.requests).toBe(3)
  })

  test('gives up after a while', async () => {
    proxy.cut = 100
    await expect(table.get([item('nothing', 0)])).rejects.toBeInstanceOf(PlatformUnavailable)
    await expect(table.write([{ put: item('c', 1) }])).rejects.toBeInstanceOf(PlatformUnavailable)
    proxy.cut = 0
  })
})
