/** What the platform of a row has to be that touches the bytes of files. */
export { platformWithBucket as with_bucket } from '#shared/platform/with-bucket.ts'
