import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { isOffSite } from '#shared/domain/payment-decisions.ts'
import { isAtProvider } from '#shared/domain/payment-states.ts'
import { returnUrl } from '#shared/domain/return-url.ts'
import type { Locale } from '#shared/domain/session.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { PaidSession } from './session-payment.ts'

/**
 * Returns the URL where the customer of a session goes next, or null after a decline, because the customer can try
 * again. A completed session leads to the cash instructions while the payment is to be paid in cash, else to the
 * merchant's `return_url` with `session_id`, else to the session's page. A pending payment leads to 3-D Secure or the
 * wallet, or else to the session's page.
 */
export function nextUrl(work: UnitOfWork, { session, payment, declined }: PaidSession): string | null {
  if (declined) return null
  if (session.status === 'completed')
    return (
      (payment?.status === 'authorized' && text(payment.payment_details.instructions_url)) ||
      (returnUrl(session) ?? pageUrl(work, 'sessions', session.id))
    )
  return (
    (payment?.status === 'pending' && text(payment.payment_details.redirect_url)) ||
    pageUrl(work, 'sessions', session.id)
  )
}

/**
 * Returns the URL of the hosted page that the customer of a session sees next, in the language `locale`: the off-site
 * page, which is the sandbox's own or sends the customer on to the provider, the cash instructions, or else the
 * session's page, which leads on to the merchant once the session is completed.
 */
export function nextPage(
  work: UnitOfWork,
  { session, payment }: Pick<PaidSession, 'session' | 'payment'>,
  locale: Locale,
): string {
  const url = (payment && ownPage(work, payment)) ?? pageUrl(work, 'sessions', session.id)
  return `${url}?locale=${locale}`
}

/** Returns the URL of the hosted page where the customer has to act on a payment, if there is one. */
function ownPage(work: UnitOfWork, payment: Payment): string | undefined {
  if (isOffSite(payment) && (isSandbox(work, payment) || isAtProvider(payment)))
    return pageUrl(work, 'off_site', payment.id)
  return instructionsPage(work, payment)
}

/** Returns the URL of the cash instructions of a payment, as long as the payment is reserved and not paid. */
export const instructionsPage = (work: UnitOfWork, { id, status, payment_details }: Payment): string | undefined =>
  status === 'authorized' && 'instructions_url' in payment_details ? pageUrl(work, 'instructions', id) : undefined

const text = (value: string | number | null | undefined): string | null => (typeof value === 'string' ? value : null)
