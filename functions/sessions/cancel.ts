import { endSession } from '#shared/charging/end-session.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { CancelSession, session } from '#shared/resources/session.ts'
import { pageUrl } from '#shared/store/page-url.ts'

/** Cancels a session that is not paid, so that nobody can pay it any more. */
export const handler = endpoint('POST /sessions/:id/cancel', {
  request: CancelSession,
  returns: ({ record, payment, url, now }) => session(record, payment, url, now),
  async run({ params, work, now }) {
    const { changes, session: record, payment } = await endSession(work, params.id)
    return { changes, answer: { record, payment, url: pageUrl(work, 'sessions', record.id), now } }
  },
})
