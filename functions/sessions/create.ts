import { makeSession } from '#shared/charging/make-session.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CreateSession } from '#shared/resources/create-session.ts'
import { session } from '#shared/resources/session.ts'
import { pageUrl } from '#shared/store/page-url.ts'
import { refuseUnsafeUrl } from '#shared/webhooks/address.ts'

/** Opens a session, whose customer is sent to `session_url` to pay or to leave a card. */
export const handler = endpoint('POST /sessions', {
  request: CreateSession,
  returns: ({ record, url, now }) => session(record, undefined, url, now),
  async run({ request, work, now }) {
    for (const [index, { url }] of request.payment_data.webhooks.entries())
      refuseUnsafeUrl(work, url, `payment_data[webhooks][${index}][url]`)
    const { changes, answer: record } = await makeSession(work, request)
    return { changes, answer: { record, url: pageUrl(work, 'sessions', record.id), now } }
  },
})
