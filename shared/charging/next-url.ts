import type { Payment } from '#shared/domain/payment.ts'
import { isElsewhere } from '#shared/domain/payment-events.ts'
import { returnUrl } from '#shared/domain/return-url.ts'
import type { Locale } from '#shared/domain/session.ts'
import { pageUrl } from '#shared/store/page-url.ts'
import type { Work } from '#shared/store/work.ts'
import { isSandbox } from './attempt.ts'
import type { PaidSession } from './session-payment.ts'

/**
 * Where the customer of a session goes next: null when the payment was declined and they stay; back to the merchant, with
 * `session_id`, when the session is completed; where 3-D Secure or a wallet waits for them; else to the session's page.
 */
export function nextUrl(work: Work, { session, payment, declined }: PaidSession): string | null {
  if (declined) return null
  if (session.status === 'completed')
    return (
      returnUrl(session) ?? text(payment?.payment_details.instructions_url) ?? pageUrl(work, 'sessions', session.id)
    )
  return (
    (payment?.status === 'pending' && text(payment.payment_details.redirect_url)) ||
    pageUrl(work, 'sessions', session.id)
  )
}

/**
 * Which page of ours the customer of a session sees next, in the language that they have chosen: how to pay in cash, where
 * 3-D Secure or a wallet waits for them, or the session's own, which sends them back to the merchant once it is completed.
 */
export function nextPage(
  work: Work,
  { session, payment }: Pick<PaidSession, 'session' | 'payment'>,
  locale: Locale,
): string {
  const url = (payment && ownPage(work, payment)) ?? pageUrl(work, 'sessions', session.id)
  return `${url}?locale=${locale}`
}

/** Our page about a payment whose customer has something left to do there. */
function ownPage(work: Work, payment: Payment): string | undefined {
  if (isElsewhere(payment) && isSandbox(work)) return pageUrl(work, 'off_site', payment.id)
  return instructionsPage(work, payment)
}

/** Where the customer reads how to pay in cash, as long as that is left to do. */
export const instructionsPage = (work: Work, { id, status, payment_details }: Payment): string | undefined =>
  status === 'authorized' && 'instructions_url' in payment_details ? pageUrl(work, 'instructions', id) : undefined

const text = (value: string | number | null | undefined): string | null => (typeof value === 'string' ? value : null)
