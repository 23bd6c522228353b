import { FILE_BYTES_MAX } from '#shared/domain/file.ts'

/** What stands around a file in a multipart body, at most: boundaries, names and whatever else is sent with it. */
const AROUND_BYTES_MAX = 65_536

/** The largest body of a request that carries a file. As base64 in JSON, as a function is handed it, it has to fit into 6 MB. */
export const MAX_UPLOAD_BYTES = FILE_BYTES_MAX + AROUND_BYTES_MAX
