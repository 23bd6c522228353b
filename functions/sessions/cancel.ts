import { pageUrl } from '#shared/domain/page-url.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CancelSession, session } from '#shared/resources/session.ts'
import { cancelSessionAndPayment } from '#shared/sessions/cancel-session.ts'

/**
 * Cancels a session that is not completed. A cancelled session cannot be paid.
 * @refuses conflict, not_cancellable, not_found, unprocessable_entity
 */
export const handler = endpoint('POST /sessions/:id/cancel', {
  request: CancelSession,
  returns: ({ record, payment, url, now }) => session(record, payment, url, now),
  async run({ params, work, now }) {
    const { changes, session: record, payment } = await cancelSessionAndPayment(work, params.id)
    return { changes, answer: { record, payment, url: pageUrl(work, 'sessions', record.id), now } }
  },
})
