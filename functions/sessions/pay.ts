import { nextUrl } from '#shared/charging/next-url.ts'
import { loadSession, paySession } from '#shared/charging/pay-session.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { PaySession, paid_session } from '#shared/resources/session.ts'

/** Pays a session with what its customer gave, also from a browser. A decline is told, and the session can be tried again. */
export const handler = endpoint('POST /sessions/:id/pay', {
  request: PaySession,
  returns: paid_session,
  load: ({ params, request, work }) => loadSession(work, params.id, request),
  async run({ params, request, work }) {
    const { changes, answer } = await paySession(work, params.id, request)
    return { changes, answer: { ...answer, redirect_url: nextUrl(work, answer) } }
  },
})
