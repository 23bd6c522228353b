import { s3Bucket } from './aws/s3-bucket.ts'
import { platformOf } from './platform-of.ts'
import type { Platform } from './ports.ts'

let aws: Platform | undefined

/** The platform of a function that reads or writes files. Only such functions contain the S3 client. */
export function platformWithBucket(context: object): Platform {
  const platform = platformOf(context)
  if ('platform' in context) return platform
  aws ??= { ...platform, bucket: s3Bucket(bucketName()) }
  return aws
}

function bucketName(): string {
  const name = process.env.FILES_BUCKET
  if (!name) throw new Error('The environment variable FILES_BUCKET is not set.')
  return name
}
