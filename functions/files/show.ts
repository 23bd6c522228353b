import { endpoint } from '#shared/http/endpoint.ts'
import { file } from '#shared/resources/file.ts'
import { getFile } from '#shared/store/files.ts'

/**
 * Shows the name, size and type of a file.
 * @refuses not_found
 */
export const handler = endpoint('GET /files/:id', {
  returns: file,
  run: async ({ params, work }) => ({ answer: await getFile(work, params.id) }),
})
