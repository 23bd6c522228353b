import { endpoint } from '#shared/http/endpoint.ts'
import { CancelSession, shown_session } from '#shared/resources/session.ts'
import { cancelSessionAndPayment } from '#shared/sessions/cancel-session.ts'
import { sessionView } from '#shared/sessions/session-view.ts'

/**
 * Cancels a session that is not completed. A cancelled session cannot be paid.
 * @refuses conflict, not_cancellable, not_found, unprocessable_entity
 */
export const handler = endpoint('POST /sessions/:id/cancel', {
  request: CancelSession,
  returns: shown_session,
  async run({ params, work }) {
    const { changes, session: record, payment } = await cancelSessionAndPayment(work, params.id)
    return { changes, answer: sessionView(work, record, payment) }
  },
})
