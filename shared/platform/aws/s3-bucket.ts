import { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import type { Bucket } from '../ports.ts'
import { answered, client_options } from './calls.ts'

/** The bucket on S3, which encrypts every object at rest. */
export function s3Bucket(bucket: string): Bucket {
  let made: S3Client | undefined
  const client = () => {
    made ??= new S3Client(client_options)
    return made
  }
  return {
    async put(name, bytes, content_type) {
      const command = new PutObjectCommand({ Bucket: bucket, Key: name, Body: bytes, ContentType: content_type })
      await answered(client().send(command))
    },

    async get(name) {
      try {
        const { Body } = await answered(client().send(new GetObjectCommand({ Bucket: bucket, Key: name })))
        return await answered(Body!.transformToByteArray())
      } catch (error) {
        if (error instanceof NoSuchKey) return undefined
        throw error
      }
    },

    async remove(name) {
      await answered(client().send(new DeleteObjectCommand({ Bucket: bucket, Key: name })))
    },

    link(name, { content_disposition, content_type, seconds }) {
      const command = new GetObjectCommand({
        Bucket: bucket,
        Key: name,
        ResponseContentDisposition: content_disposition,
        ResponseContentType: content_type,
        ResponseCacheControl: 'no-store',
      })
      return answered(getSignedUrl(client(), command, { expiresIn: seconds }))
    },
  }
}
