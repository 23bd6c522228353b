import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { DynamodbTable } from '#shared/platform/aws/dynamodb-table.ts'
import { systemClock } from '#shared/platform/aws/system-clock.ts'
import { PlatformUnavailable, type Table, WriteConflict } from '#shared/platform/ports.ts'
import { type CallFate, type FaultyEndpoint, forwardedTo, startFaultyEndpoint } from '#test/faults/faulty-endpoint.ts'
import { createTable } from '#test/fixtures/moto.ts'

/* moto ignores a ClientRequestToken, so only the versions show that a repeated write was already applied. */
describe('a table whose responses are lost', () => {
  let endpoint: FaultyEndpoint
  let table: DynamodbTable
  /** The same table without faults, for another writer. */
  let other: Table
  /** The fates of the next calls. A function runs before its call. */
  const coming: (CallFate | (() => Promise<unknown>))[] = []
  let calls = 0
  beforeAll(async () => {
    const name = await createTable()
    const upstream = process.env.AWS_ENDPOINT_URL!
    other = new DynamodbTable(name, systemClock)
    await other.get([item('nothing', 0)])
    endpoint = await startFaultyEndpoint(forwardedTo(upstream))
    vi.stubEnv('AWS_ENDPOINT_URL', endpoint.url)
    table = new DynamodbTable(name, systemClock)
    endpoint.plan = async () => {
      calls += 1
      const next = coming.shift() ?? 'ok'
      if (typeof next === 'string') return next
      await next()
      return 'ok'
    }
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await endpoint.stop()
  })
  beforeEach(() => {
    calls = 0
  })

  const item = (sk: string, version: number, by = 'us') => ({
    pk: 'p',
    sk,
    version,
    by: { who: by },
  })
  const one = (name: string) => [{ put: item(`${name} alone`, 1), was: 0 }]
  const two = (name: string) => ['a', 'b'].map((sk) => ({ put: item(`${name} ${sk}`, 1), was: 0 }))
  const kinds = [
    ['one item', one],
    ['a transaction', two],
  ] as const
  /** The writers of the items that are stored. */
  const by = async (name: string, writes: typeof one) =>
    (await other.get(writes(name).map(({ put }) => put))).map((found) => found?.by)

  test.each(kinds)('recognizes its own write of %s when it repeats the write', async (name, writes) => {
    coming.push('lost', 'lost')
    await table.write(writes(name))
    expect(calls).toBe(3)
    expect(await by(name, writes)).toEqual(writes(name).map(() => ({ who: 'us' })))
  })

  test('repeats a read', async () => {
    coming.push('lost', 'lost')
    expect(await table.get([item('nothing', 0)])).toEqual([undefined])
    expect(calls).toBe(3)
  })

  test('fails after several lost responses', async () => {
    coming.push('lost', 'lost', 'lost')
    await expect(table.get([item('nothing', 0)])).rejects.toBeInstanceOf(PlatformUnavailable)
    coming.push('lost', 'lost', 'lost', 'lost')
    await expect(table.write([{ put: item('c', 1) }])).rejects.toBeInstanceOf(PlatformUnavailable)
  })

  describe.each(kinds)('while another writer writes %s', (kind, writes) => {
    const theirs = (name: string, version: number) =>
      other.write(writes(name).map(({ put }) => ({ put: { ...put, version, by: { who: 'them' } }, was: version - 1 })))

    test('reports a conflict if the other writer has written the same version', async () => {
      const name = `${kind} cut`
      coming.push('cut', () => theirs(name, 1))
      await expect(table.write(writes(name))).rejects.toBeInstanceOf(WriteConflict)
      expect(await by(name, writes)).toEqual(writes(name).map(() => ({ who: 'them' })))
    })

    test('fails with PlatformUnavailable if the other writer has replaced the write that got no response', async () => {
      const name = `${kind} lost`
      coming.push('lost', () => theirs(name, 2))
      await expect(table.write(writes(name))).rejects.toBeInstanceOf(PlatformUnavailable)
    })
  })
})
