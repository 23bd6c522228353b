import { FILE_BYTES_MAX } from '#shared/domain/file.ts'

/** The most bytes of a multipart body around its file: boundaries, names and any other parts. */
const AROUND_BYTES_MAX = 65_536

/**
 * The largest body of a request with a file, in bytes. Lambda receives the body as base64 in JSON, which must not
 * exceed 6 MB.
 */
export const MAX_UPLOAD_BYTES = FILE_BYTES_MAX + AROUND_BYTES_MAX
