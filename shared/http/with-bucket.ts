/** Builds the platform of an endpoint that reads or writes the bytes of files. */
export { platformWithBucket as with_bucket } from '#shared/platform/with-bucket.ts'
