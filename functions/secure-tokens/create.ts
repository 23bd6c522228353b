import { makeSecureToken, refusePublicCustomer } from '#shared/charging/make-secure-token.ts'
import { loadSource } from '#shared/charging/source.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateSecureToken, created_secure_token } from '#shared/resources/secure-token.ts'
import { pageUrl } from '#shared/store/page-url.ts'

/** Begins 3-D Secure: its customer is sent to `authentication_url`, and comes back with a token that can be paid with once. */
export const handler = endpoint('POST /secure_tokens', {
  request: CreateSecureToken,
  returns: ({ record, url }) => created_secure_token(record, url),
  authorize: ({ request, work }) => refusePublicCustomer(work, request),
  load: ({ request, work }) => loadSource(work, request),
  async run({ request, work }) {
    const { changes, answer: record } = await makeSecureToken(work, request)
    return { changes, answer: { record, url: pageUrl(work, 'secure_tokens', record.id) } }
  },
})
