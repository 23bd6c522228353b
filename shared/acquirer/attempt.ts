import { pageUrl } from '#shared/domain/page-url.ts'
import type { Attempt, InFlight, Payment, VoidReason } from '#shared/domain/payment.ts'
import type { PaymentDetails, ShownDetails } from '#shared/domain/payment-details.ts'
import { hasEnded, isAtProvider } from '#shared/domain/payment-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { PlatformUnavailable, WriteConflict } from '#shared/platform/ports.ts'
import { shopOf } from '#shared/store/account-of.ts'
import { chargeOf } from '#shared/store/attempts.ts'
import { merchants } from '#shared/store/merchants.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { Order, WantedOrder } from './acquirer.ts'
import { nextInquiryAt } from './inquiry-schedule.ts'

/**
 * The attempt of an operation that is about to be sent. Its first inquiry is already scheduled, in case the outcome is
 * never recorded.
 */
export function attemptOf(
  work: UnitOfWork,
  payment: Payment,
  operation: InFlight,
  token: string | null = null,
): Attempt {
  return {
    version: 0,
    payment: payment.id,
    number: operation.attempt,
    operation: operation.operation,
    mode: work.mode,
    key: operation.operation === 'charge' ? chargeKey(payment) : `${payment.id}-${operation.attempt}`,
    amount: operation.amount,
    sent_at: timestamp(work.now()),
    inquiries: 0,
    outcome: null,
    inquire_at: nextInquiryAt(0, work.now()),
    token,
    reference: null,
    watch_at: null,
  }
}

/** The charge of a payment that is about to begin, as an acquirer is asked whether it can make the charge. */
export const wantedOf = ({ payment_details, currency, total, payment_deadline }: Payment): WantedOrder => ({
  ...wantedCharge(payment_details, currency),
  amount: total,
  deadline: payment_deadline,
})

/** A capture or a refund that is about to begin, as an acquirer is asked whether it can make it. */
export const wantedPart = (payment: Payment, { amount, tax }: InFlight): WantedOrder => ({
  ...wantedOf(payment),
  amount: amount + tax,
  is_part: true,
})

/** A charge that is wanted from these payment details, without its amount and its deadline. */
export const wantedCharge = (
  shown: ShownDetails,
  currency: string,
): Pick<WantedOrder, 'type' | 'brand' | 'currency'> => ({
  type: shown.type,
  brand: textOf(shown.store ?? shown.brand),
  currency,
})

const textOf = (value: string | number | null | undefined): string | null => (typeof value === 'string' ? value : null)

/**
 * The order of an attempt, as it is sent to the acquirer. `details` are the payment details of a charge that is sent.
 * Throws `WriteConflict` if the outcome of a capture, refund or void was recorded after its attempt was read and before
 * its payment was: a void would then return money that is kept, and a capture would lack its tax. Read both again.
 */
export async function orderOf(
  work: UnitOfWork,
  payment: Payment,
  attempt: Attempt,
  details?: PaymentDetails,
): Promise<Order> {
  const operation = payment.in_flight.find((entry) => entry.attempt === attempt.number)
  if (attempt.operation !== 'charge' && !attempt.outcome && !operation) throw new WriteConflict([])
  const needs_charge = attempt.operation !== 'charge' && isAtProvider(payment)
  const charge = needs_charge ? await chargeOf(work, payment) : undefined
  const shop = details?.type === 'konbini' && isAtProvider(payment) ? await shopName(work) : undefined
  const amount = attempt.operation === 'charge' ? payment.total : attempt.amount + (operation?.tax ?? 0)
  return {
    key: attempt.key,
    operation: attempt.operation,
    charge: chargeKey(payment),
    interval: payment.occurrence?.interval ?? null,
    merchant: work.merchant,
    payment: payment.id,
    attempt: attempt.number,
    type: payment.payment_details.type,
    store: storeOf(payment),
    amount,
    currency: payment.currency,
    capture: payment.capture,
    details,
    verified: Boolean(payment.verified_by),
    sent_at: attempt.sent_at,
    deadline: payment.payment_deadline,
    locale: payment.locale,
    ...(shop !== undefined && { shop }),
    reference: attempt.reference ?? null,
    of: charge?.reference ?? null,
    customer: null,
    redirect_url: pageUrl(work, 'off_site', payment.id),
    return_url: pageUrl(work, 'return', payment.id),
    instructions_url: pageUrl(work, 'instructions', payment.id),
    ...(attempt.operation === 'void' && { because: reasonOf(payment, operation) }),
  }
}

/** Why a charge is voided. The money of a payment that has ended is unwanted. */
const reasonOf = (payment: Payment, operation: InFlight | undefined): VoidReason =>
  operation?.because ?? (hasEnded(payment) ? 'unwanted' : 'cancelled')

/** Returns the name of the shop. A payment does not fail because the name cannot be read. */
async function shopName(work: UnitOfWork): Promise<string | undefined> {
  try {
    const merchant = await work.find(merchants, work.merchant)
    return merchant && (await shopOf(work, merchant)).name
  } catch (error) {
    if (error instanceof PlatformUnavailable) return undefined
    throw error
  }
}

const storeOf = ({ payment_details: { store } }: Payment): string | null => (typeof store === 'string' ? store : null)

/**
 * The acquirer's key of a charge. For a subscription, the key consists of the subscription, the interval and the try,
 * so no try is charged twice.
 */
const chargeKey = ({ id, occurrence }: Payment): string =>
  occurrence ? `${occurrence.subscription}-${occurrence.interval}-${occurrence.try}` : `${id}-1`
