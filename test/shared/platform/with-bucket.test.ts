import { beforeEach, describe, expect, test, vi } from 'vitest'
import type { Platform } from '#shared/platform/ports.ts'

const names = {
  TABLE_NAME: 'table',
  DELIVERIES_QUEUE_URL: 'https://sqs/deliveries',
  CAPTURES_QUEUE_URL: 'https://sqs/captures',
  CHORES_QUEUE_URL: 'https://sqs/chores',
  CLOCKS_QUEUE_URL: 'https://sqs/clocks',
  VAULT_KEY_ID: 'alias/vault',
  FILES_BUCKET: 'files',
  AWS_REGION: 'ap-northeast-1',
  AWS_ACCESS_KEY_ID: 'AKIDEXAMPLE',
  AWS_SECRET_ACCESS_KEY: 'secret',
}

describe('platformWithBucket', () => {
  let platformWithBucket: (context: { platform?: Platform }) => Platform
  let platformOf: (context: { platform?: Platform }) => Platform
  beforeEach(async () => {
    vi.unstubAllEnvs()
    for (const [name, value] of Object.entries(names)) vi.stubEnv(name, value)
    vi.resetModules()
    ;({ platformWithBucket } = await import('#shared/platform/with-bucket.ts'))
    ;({ platformOf } = await import('#shared/platform/platform-of.ts'))
  })

  test('returns the platform of the context', () => {
    const platform = {} as Platform
    expect(platformWithBucket({ platform })).toBe(platform)
  })

  test('otherwise returns AWS, created once, with the bucket of the environment', async () => {
    const platform = platformWithBucket({})
    expect(platformWithBucket({})).toBe(platform)
    expect(platform).toEqual({ ...platformOf({}), bucket: platform.bucket })
    const link = await platform.bucket.link('mer_1/fil_1', {
      content_disposition: 'attachment',
      content_type: 'image/png',
      seconds: 1,
    })
    expect(link).toMatch(/^https:\/\/files\.s3\.ap-northeast-1\.amazonaws\.com\/mer_1\/fil_1\?/)
  })

  test('throws if the name of the bucket is missing', () => {
    vi.stubEnv('FILES_BUCKET', '')
    expect(() => platformWithBucket({})).toThrow('FILES_BUCKET')
  })
})
