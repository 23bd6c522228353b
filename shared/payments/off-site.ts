import { isSandbox } from '#shared/acquirer/acquirers.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { decline, isOffSite, pay } from '#shared/domain/payment-decisions.ts'
import { isExpired, type Locale, locales } from '#shared/domain/session.ts'
import { type Change, changed, unchanged } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { completionOf, sessions } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { giveUpPayment } from './give-up-payment.ts'

/** A payment that a hosted page shows, and the language of the page. */
export interface ShownPayment {
  readonly payment: Payment
  readonly locale: Locale
}

/**
 * Returns the payment that a hosted page shows. The language is `asked`, else that of the payment, else Japanese.
 * Refuses with `not_found` a payment that has no such page.
 */
export async function shownPayment(
  work: UnitOfWork,
  id: string,
  url: 'redirect_url' | 'instructions_url',
  asked: Locale | undefined,
): Promise<ShownPayment> {
  const payment = await work.get(payments, id)
  if (!(url in payment.payment_details)) throw new Refusal('not_found')
  return { payment, locale: asked ?? locales.find((locale) => locale === payment.locale) ?? 'ja' }
}

/**
 * Returns a payment whose customer is sent off-site, to a page where the sandbox stands in for a wallet or bank.
 * Refuses with `not_found` outside the sandbox.
 */
export async function offSitePayment(work: UnitOfWork, id: string, asked: Locale | undefined): Promise<ShownPayment> {
  const shown = await shownPayment(work, id, 'redirect_url', asked)
  if (!isSandbox(work, shown.payment)) throw new Refusal('not_found')
  return shown
}

/**
 * Returns a payment whose customer comes back from the provider. Refuses with `not_found` in the sandbox, which has no
 * provider.
 */
export async function returnedPayment(work: UnitOfWork, id: string, asked: Locale | undefined): Promise<ShownPayment> {
  const shown = await shownPayment(work, id, 'redirect_url', asked)
  if (isSandbox(work, shown.payment)) throw new Refusal('not_found')
  return shown
}

/**
 * Returns where the customer goes from the off-site page or from the provider. `see` is the page of the payment's
 * session. `continue_to` is the merchant's `return_url`, for a payment without a session. Both are absent if the payment
 * has neither.
 */
export function backFrom(
  work: UnitOfWork,
  { session, return_url }: Payment,
  locale: Locale,
): { readonly see?: string; readonly continue_to?: string } {
  if (session) return { see: `${pageUrl(work, 'sessions', session)}?locale=${locale}` }
  return return_url ? { continue_to: return_url } : {}
}

/**
 * Returns the changes of a customer's decision on the off-site page. `approve` and `authenticate` pay the payment,
 * `decline` and `fail` fail it. Any other decision changes nothing, and neither does a decision about a payment that is
 * already decided. Once the session has expired, the payment is cancelled, because the merchant already sees the
 * session as expired.
 */
export async function decideOffSite(work: UnitOfWork, payment: Payment, decision: unknown): Promise<Change[]> {
  if (!isOffSite(payment)) return []
  const session = payment.session ? await work.get(sessions, payment.session) : undefined
  if (session && isExpired(session, work.now())) return [...giveUpPayment(work, payment), unchanged(sessions, session)]
  const approves = decision === 'approve' || decision === 'authenticate'
  if (!approves && decision !== 'decline' && decision !== 'fail') return []
  const { next, events } = approves ? pay(payment, work.now()) : decline(payment)
  return [changed(payments, next, events, { must_record: true }), ...(await completionOf(work, payment, next))]
}

/**
 * Returns the changes that mark a reserved cash payment as paid. Refuses with `not_found` outside the sandbox. A
 * payment that is not reserved stays unchanged.
 */
export async function payInCash(work: UnitOfWork, payment: Payment): Promise<Change[]> {
  if (!isSandbox(work, payment)) throw new Refusal('not_found')
  if (payment.status !== 'authorized') return []
  const { next, events } = pay(payment, work.now())
  return [changed(payments, next, events, { must_record: true })]
}
