import type { Payment } from '#shared/domain/payment.ts'
import type { PaymentType, ShownDetails } from '#shared/domain/payment-details.ts'
import { returnUrl } from '#shared/domain/return-url.ts'
import { isExpired, type Locale, type Session } from '#shared/domain/session.ts'
import { methodsOf } from '#shared/domain/session-methods.ts'
import { isBeingPaid, isExhausted } from '#shared/domain/session-states.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { type SessionEndPageInput, sessionEndPage } from '#shared/pages/last-pages/session-end-page.ts'
import type { FieldName } from './payment-form.ts'
import { sessionPage } from './session-page.ts'

/** A session with its payment, and the form that its customer has just sent. */
export interface ShownSession {
  readonly session: Session
  readonly payment: Payment | undefined
  /** The stored card of the session's customer. */
  readonly stored_card?: ShownDetails | undefined
  /** The card that a completed session has stored. */
  readonly saved_card?: ShownDetails | undefined
  /** Epoch milliseconds. */
  readonly now: number
  readonly locale: Locale
  readonly sandbox: boolean
  /** The URL of the page that explains how to pay in cash; absent if nothing is left to pay in cash. */
  readonly instructions_url?: string | undefined
  readonly chosen?: PaymentType | undefined
  readonly typed?: Readonly<Record<string, string>>
  readonly faults?: Readonly<Record<string, 'missing' | 'invalid'>>
}

/**
 * Returns the page of a session in its current state: the payment methods of an open session, or the outcome. The page
 * names the merchant as the session does.
 */
export function shownSession(shown: ShownSession): HtmlPage {
  const { merchant_name } = shown.session
  return { ...pageOf(shown), ...(merchant_name && { merchant_name }) }
}

function pageOf({
  session,
  payment,
  stored_card,
  saved_card,
  now,
  locale,
  sandbox,
  instructions_url,
  ...form
}: ShownSession): HtmlPage {
  const state = stateOf(session, payment, now)
  if (state) {
    const continue_to = returnUrl(session) ?? undefined
    return sessionEndPage({
      ...{ session, payment, saved_card, locale, now, sandbox, state },
      ...(continue_to && { continue_to }),
      ...(instructions_url && { instructions_url }),
    })
  }
  const { chosen, typed, faults } = form
  const unknown = faults && !chosen && 'invalid_payment_type'
  const declined = unknown || (!faults && payment?.failure) || undefined
  return sessionPage({
    ...{ session, locale, sandbox, now },
    methods: methodsOf(session).map(({ type, fee, total }) => ({ type, fee, total: total ?? 0 })),
    ...(stored_card && { stored_card }),
    ...(chosen && { chosen }),
    ...(typed && { typed }),
    ...(faults && { faults: faults as Partial<Record<FieldName, 'missing' | 'invalid'>> }),
    ...(declined && { declined }),
  })
}

/**
 * Returns the outcome of a session, or undefined while the session is open. If the payment of a completed session is
 * cancelled or expires later, the outcome is that of the payment.
 */
function stateOf(
  session: Session,
  payment: Payment | undefined,
  now: number,
): SessionEndPageInput['state'] | undefined {
  if (session.status === 'completed')
    return payment?.status === 'cancelled' || payment?.status === 'expired' ? payment.status : 'completed'
  if (session.status === 'cancelled') return 'cancelled'
  if (isBeingPaid(payment)) return 'processing'
  if (isExpired(session, now)) return 'expired'
  return isExhausted(session) ? 'exhausted' : undefined
}
