import type { Bucket } from '../ports.ts'
import { answered, client_options } from './calls.ts'

/** Loads the part of the SDK that the bucket needs, and makes a client. */
async function loadSdk() {
  const sdk = await import('#shared/platform/aws/s3-sdk.ts')
  return { ...sdk, client: new sdk.S3Client(client_options) }
}

/** The bucket on S3, which encrypts every object at rest. The S3 client is loaded with the first call. */
export function s3Bucket(bucket: string): Bucket {
  let loaded: ReturnType<typeof loadSdk> | undefined
  const load = () => {
    loaded ??= loadSdk()
    return loaded
  }
  return {
    async put(name, bytes, content_type) {
      const { client, PutObjectCommand } = await load()
      const command = new PutObjectCommand({ Bucket: bucket, Key: name, Body: bytes, ContentType: content_type })
      await answered(client.send(command))
    },

    async get(name) {
      const { client, GetObjectCommand, NoSuchKey } = await load()
      try {
        const { Body } = await answered(client.send(new GetObjectCommand({ Bucket: bucket, Key: name })))
        return await answered(Body!.transformToByteArray())
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },

    async remove(name) {
      const { client, DeleteObjectCommand } = await load()
      await answered(client.send(new DeleteObjectCommand({ Bucket: bucket, Key: name })))
    },

    async link(name, { content_disposition, content_type, seconds }) {
      const { client, GetObjectCommand, getSignedUrl } = await load()
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: name,
        ResponseContentDisposition: content_disposition,
        ResponseContentType: content_type,
        ResponseCacheControl: 'no-store',
      })
      return answered(getSignedUrl(client, command, { expiresIn: seconds }))
    },
  }
}
