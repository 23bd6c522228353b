import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Platform } from '#shared/platform/ports.ts'

const names = {
  TABLE_NAME: 'table',
  DELIVERIES_QUEUE_URL: 'https://sqs/deliveries',
  CAPTURES_QUEUE_URL: 'https://sqs/captures',
  CHORES_QUEUE_URL: 'https://sqs/chores',
  CLOCKS_QUEUE_URL: 'https://sqs/clocks',
  VAULT_KEY_ID: 'alias/vault',
}

describe('platformOf', () => {
  let platformOf: (context: { platform?: Platform }) => Platform
  beforeEach(async () => {
    vi.unstubAllEnvs()
    for (const [name, value] of Object.entries(names)) vi.stubEnv(name, value)
    vi.resetModules()
    ;({ platformOf } = await import('#shared/platform/platform-of.ts'))
  })

  test('returns the platform of the context, whatever the environment says', () => {
    vi.stubEnv('TABLE_NAME', '')
    const platform = {} as Platform
    expect(platformOf({ platform })).toBe(platform)
  })

  test('otherwise returns AWS, created once', () => {
    const platform = platformOf({})
    expect(Object.keys(platform.queues)).toEqual(['deliveries', 'captures', 'chores', 'clocks'])
    expect(platformOf({})).toBe(platform)
  })

  test('on AWS, resolves hosts with the name servers', async () => {
    const { resolveHost } = await import('#shared/platform/dns.ts')
    expect(platformOf({}).resolve).toBe(resolveHost)
  })

  test('on AWS, has no bucket, because only functions that use files have one', async () => {
    await expect(platformOf({}).bucket.remove('mer_1/fil_1')).rejects.toThrow('no bucket')
  })

  test('on AWS, never allows webhooks to the machine itself', () => {
    expect(platformOf({}).loopback_webhooks).toBe(false)
    expect(platformOf({}).isOwnServer('127.0.0.1', 443)).toBe(false)
  })

  test('writes each log line as JSON, with card numbers and keys masked', () => {
    const write = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
    platformOf({}).log({ level: 'error', event: 'request', error: 'of 4111111111111111 and sk_live_abc' })
    const written = write.mock.calls.map(([line]) => line)
    write.mockRestore()
    expect(written).toEqual(['{"level":"error","event":"request","error":"of [masked] and sk_live_[masked]"}\n'])
  })

  test.each(Object.keys(names))('throws if %s is missing', (name) => {
    vi.stubEnv(name, '')
    expect(() => platformOf({})).toThrow(name)
  })

  test.each([
    ['sandbox', 'sandbox'],
    ['none', 'none'],
    ['', 'none'],
    ['anything', 'none'],
  ])('with LIVE_ACQUIRER %o, charges live payments through %s', (value, expected) => {
    vi.stubEnv('LIVE_ACQUIRER', value)
    expect(platformOf({}).live_acquirer).toBe(expected)
  })
})
