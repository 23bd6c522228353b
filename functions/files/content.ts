import { endpoint } from '#shared/http/endpoint.ts'
import { with_bucket } from '#shared/http/with-bucket.ts'
import { linked_file } from '#shared/resources/file.ts'
import { getFile, linkTo } from '#shared/store/files.ts'

/**
 * Redirects to a link that downloads the file. The link needs no API key and is valid for five minutes.
 * @refuses not_found
 */
export const handler = endpoint('GET /files/:id/content', {
  platform: with_bucket,
  returns: linked_file,
  redirects: ({ link }) => link,
  async run({ params, work }) {
    const record = await getFile(work, params.id)
    return { answer: { record, link: await linkTo(work, record) } }
  },
})
