import { pageUrl } from '#shared/domain/page-url.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { session } from '#shared/resources/session.ts'
import { createSession } from '#shared/sessions/create-session.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'

/**
 * Creates a session. The customer pays or stores a card at `session_url`.
 * @refuses invalid_currency, invalid_parameter, invalid_payment_type, missing_parameter, service_unavailable,
 *   unprocessable_entity
 */
export const handler = endpoint('POST /sessions', {
  request: CreateSession,
  returns: ({ record, url, now }) => session(record, undefined, url, now),
  async run({ request, work, now }) {
    for (const [index, { url }] of request.payment_data.webhooks.entries())
      refuseUnsafeUrl(work, url, `payment_data[webhooks][${index}][url]`)
    const { changes, answer: record } = await createSession(work, request)
    return { changes, answer: { record, url: pageUrl(work, 'sessions', record.id), now } }
  },
})
