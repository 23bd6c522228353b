/*
 * What the bucket needs of the AWS SDK. `s3-bucket.ts` loads this file with its first call, because loading it takes as
 * long as loading the rest of a function.
 */
export { DeleteObjectCommand, GetObjectCommand, NoSuchKey, PutObjectCommand, S3Client } from '@aws-sdk/client-s3'
export { getSignedUrl } from '@aws-sdk/s3-request-presigner'
