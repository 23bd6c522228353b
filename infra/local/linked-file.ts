import { Refusal } from '#shared/domain/errors.ts'
import type { Answer } from '#shared/http/answers.ts'
import { FILES_PATH } from './file-bucket.ts'
import type { GatewayEvent } from './gateway-event.ts'
import type { LocalPlatform } from './local-platform.ts'

/**
 * Returns the file that a link leads to, as S3 does. Throws `forbidden` if the link has expired or was changed, or if
 * the file is gone.
 */
export async function linkedFile({ bucket }: LocalPlatform, event: GatewayEvent): Promise<Answer> {
  const query = new URLSearchParams()
  for (const [name, values] of Object.entries(event.multiValueQueryStringParameters ?? {}))
    for (const value of values ?? []) query.append(name, value)
  const linked = await bucket.follow(event.path.slice(FILES_PATH.length), query)
  if (!linked) throw new Refusal('forbidden', { message: 'This link is not valid any more.' })
  return {
    statusCode: 200,
    headers: {
      'Content-Type': linked.content_type,
      'Content-Disposition': linked.content_disposition,
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      'X-Request-Id': event.requestContext.requestId,
    },
    body: linked.bytes.toString('base64'),
    isBase64Encoded: true,
  }
}
