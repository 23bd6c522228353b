import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { s3Bucket } from '#shared/platform/aws/s3-bucket.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'

const s3 = mockClient(S3Client)
const bucket = s3Bucket('files')

beforeEach(() => {
  s3.reset()
  vi.stubEnv('AWS_REGION', 'ap-northeast-1')
  vi.stubEnv('AWS_ACCESS_KEY_ID', 'AKIDEXAMPLE')
  vi.stubEnv('AWS_SECRET_ACCESS_KEY', 'secret')
  vi.stubEnv('AWS_SESSION_TOKEN', 'session')
  return () => vi.unstubAllEnvs()
})

describe('s3Bucket', () => {
  test('puts bytes under a name, with the encryption of the bucket', async () => {
    s3.on(PutObjectCommand).resolves({})
    const bytes = Buffer.from('one')
    await bucket.put('mer_1/fil_1', bytes, 'image/png')
    expect(s3.commandCalls(PutObjectCommand).map(({ args }) => args[0].input)).toEqual([
      { Bucket: 'files', Key: 'mer_1/fil_1', Body: bytes, ContentType: 'image/png' },
    ])
  })

  test('reads an object by its name, and returns undefined if there is none', async () => {
    const transformToByteArray = async () => Buffer.from('one')
    s3.on(GetObjectCommand).rejects(new NoSuchKey({ message: 'none', $metadata: {} }))
    s3.on(GetObjectCommand, { Key: 'mer_1/fil_1' }).resolves({ Body: { transformToByteArray } as never })
    expect(Buffer.from((await bucket.get('mer_1/fil_1'))!).toString()).toBe('one')
    expect(await bucket.get('mer_1/fil_2')).toBeUndefined()
    expect(s3.commandCalls(GetObjectCommand).map(({ args }) => args[0].input)).toEqual([
      { Bucket: 'files', Key: 'mer_1/fil_1' },
      { Bucket: 'files', Key: 'mer_1/fil_2' },
    ])
  })

  test('removes an object by its name', async () => {
    s3.on(DeleteObjectCommand).resolves({})
    await bucket.remove('mer_1/fil_1')
    expect(s3.commandCalls(DeleteObjectCommand).map(({ args }) => args[0].input)).toEqual([
      { Bucket: 'files', Key: 'mer_1/fil_1' },
    ])
  })

  test('links without a call to S3: for the given time, with the given headers, for reading only', async () => {
    const link = new URL(
      await bucket.link('mer_1/fil_1', {
        content_disposition: "attachment; filename*=UTF-8''it%27s.pdf",
        content_type: 'application/pdf',
        seconds: 300,
      }),
    )
    expect([link.protocol, link.host, link.pathname]).toEqual([
      'https:',
      'files.s3.ap-northeast-1.amazonaws.com',
      '/mer_1/fil_1',
    ])
    expect(Object.fromEntries(link.searchParams)).toMatchObject({
      'X-Amz-Expires': '300',
      'response-content-disposition': "attachment; filename*=UTF-8''it%27s.pdf",
      'response-content-type': 'application/pdf',
      'response-cache-control': 'no-store',
      'x-id': 'GetObject',
    })
    expect(s3.calls()).toEqual([])
  })

  test.each([
    ['InternalError', 'server', PlatformUnavailable],
    ['SlowDown', 'server', PlatformUnavailable],
    ['AccessDenied', 'client', Error],
  ])('throws for %s what the port specifies', async (name, $fault, type) => {
    const failure = Object.assign(new Error(name), { name, $fault })
    s3.on(PutObjectCommand).rejects(failure)
    s3.on(DeleteObjectCommand).rejects(failure)
    for (const call of [bucket.put('mer_1/fil_1', Buffer.from('one'), 'image/png'), bucket.remove('mer_1/fil_1')]) {
      const error = await call.catch((caught) => caught)
      expect(error).toBeInstanceOf(type)
      expect(error instanceof PlatformUnavailable).toBe(type === PlatformUnavailable)
    }
  })
})
