import { endpoint } from '#shared/http/endpoint.ts'
import { readsFile } from '#shared/http/uploaded-file.ts'
import { with_bucket } from '#shared/http/with-bucket.ts'
import { CreateFile, file } from '#shared/resources/file.ts'
import { storeFile } from '#shared/store/files.ts'

/**
 * Uploads a document, such as a proof for a live application. Only the merchant can read the document.
 * @refuses invalid_parameter, missing_parameter, payload_too_large
 */
export const handler = endpoint('POST /files', {
  platform: with_bucket,
  reads: readsFile('paper'),
  request: CreateFile,
  returns: file,
  run: ({ request, work }) => storeFile(work, request.paper),
})
