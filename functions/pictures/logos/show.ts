import { picture } from '#shared/http/picture.ts'
import { with_bucket } from '#shared/http/with-bucket.ts'
import { findLogo } from '#shared/store/logos.ts'

/** Shows a file that is or was the logo of an account. No other file is public. */
export const handler = picture('GET /logos/:account/:file', {
  platform: with_bucket,
  draw: ({ params, platform }) => findLogo(platform, params),
})
