import { Refusal } from '#shared/domain/errors.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { decline, isElsewhere, pay } from '#shared/domain/payment-events.ts'
import { isExpired, type Locale, locales } from '#shared/domain/session.ts'
import { type Change, changed, unchanged } from '#shared/store/change.ts'
import { pageUrl } from '#shared/store/page-url.ts'
import { payments } from '#shared/store/payments.ts'
import { completionOf, sessions } from '#shared/store/sessions.ts'
import type { Work } from '#shared/store/work.ts'
import { isSandbox } from './attempt.ts'
import { givenUp } from './session-payment.ts'

/** A payment whose customer acts on a page of the sandbox, and the language that they read. */
export interface ActedOn {
  readonly payment: Payment
  readonly locale: Locale
}

/** The payment that a page about it shows: refused with `not_found` where it has no such page. */
export async function actedOn(
  work: Work,
  id: string,
  url: 'redirect_url' | 'instructions_url',
  asked: Locale | undefined,
): Promise<ActedOn> {
  const payment = await work.get(payments, id)
  if (!(url in payment.payment_details)) throw new Refusal('not_found')
  return { payment, locale: asked ?? locales.find((locale) => locale === payment.locale) ?? 'ja' }
}

/** A payment whose customer was sent to the sandbox's stand-in for another site. */
export async function waitsElsewhere(work: Work, id: string, asked: Locale | undefined): Promise<ActedOn> {
  if (!isSandbox(work)) throw new Refusal('not_found')
  return actedOn(work, id, 'redirect_url', asked)
}

/** Where the customer goes from there: to their session, which is a page of ours, or to the merchant, where one was named. */
export function backFrom(
  work: Work,
  { session, return_url }: Payment,
  locale: Locale,
): { readonly see?: string; readonly continue_to?: string } {
  if (session) return { see: `${pageUrl(work, 'sessions', session)}?locale=${locale}` }
  return return_url ? { continue_to: return_url } : {}
}

/**
 * What the customer decides there. What was decided before stays as it is, and once the session has expired the payment is
 * given up: its merchant was told that nothing comes of it any more.
 */
export async function decideElsewhere(work: Work, payment: Payment, decision: unknown): Promise<Change[]> {
  if (!isElsewhere(payment)) return []
  const session = payment.session ? await work.get(sessions, payment.session) : undefined
  if (session && isExpired(session, work.now())) return [...givenUp(work, payment), unchanged(sessions, session)]
  const approves = decision === 'approve' || decision === 'authenticate'
  if (!approves && decision !== 'decline' && decision !== 'fail') return []
  const { next, events } = approves ? pay(payment, work.now()) : decline(payment)
  return [changed(payments, next, events, { owed: true }), ...(await completionOf(work, payment, next))]
}

/** The customer pays in cash: in the sandbox, by saying so. */
export async function payInCash(work: Work, payment: Payment): Promise<Change[]> {
  if (!isSandbox(work)) throw new Refusal('not_found')
  if (payment.status !== 'authorized') return []
  const { next, events } = pay(payment, work.now())
  return [changed(payments, next, events, { owed: true })]
}
