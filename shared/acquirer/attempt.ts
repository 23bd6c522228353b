import { Refusal } from '#shared/domain/errors.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import type { Attempt, InFlight, Mode, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { Acquirer, Order } from './acquirer.ts'
import { nextInquiryAt } from './inquiry-schedule.ts'
import { sandbox } from './sandbox/sandbox.ts'

/**
 * Whether charges of this merchant are simulated and move no money. On the hosted pages, the merchant's customers then
 * decide in place of their banks.
 */
export const isSandbox = ({ platform, mode }: UnitOfWork): boolean =>
  mode === 'test' || platform.live_acquirer === 'sandbox'

/** The acquirer of a mode. Refuses live payments with `service_unavailable` on a stage without an acquirer. */
export function acquirerOf({ platform, merchant, scenario }: UnitOfWork, mode: Mode): Acquirer {
  if (mode === 'live' && platform.live_acquirer === 'none')
    throw new Refusal('service_unavailable', {
      message: 'Live payments are not set up here yet. Use a test key (sk_test_…).',
    })
  return sandbox(platform, merchant, mode === 'test' ? scenario : undefined)
}

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
  }
}

/** The order of an attempt, as it is sent to the acquirer. */
export function orderOf(work: UnitOfWork, payment: Payment, attempt: Attempt, details?: PaymentDetails): Order {
  const operation = payment.in_flight.find((entry) => entry.attempt === attempt.number)
  const amount = attempt.operation === 'charge' ? payment.total : attempt.amount + (operation?.tax ?? 0)
  return {
    key: attempt.key,
    operation: attempt.operation,
    charge: chargeKey(payment),
    interval: payment.occurrence?.interval ?? null,
    payment: payment.id,
    amount,
    currency: payment.currency,
    capture: payment.capture,
    details,
    verified: Boolean(payment.verified_by),
    redirect_url: pageUrl(work, 'off_site', payment.id),
    instructions_url: pageUrl(work, 'instructions', payment.id),
  }
}

/**
 * The acquirer's key of a charge. For a subscription, the key consists of the subscription, the interval and the try,
 * so no try is charged twice.
 */
const chargeKey = ({ id, occurrence }: Payment): string =>
  occurrence ? `${occurrence.subscription}-${occurrence.interval}-${occurrence.try}` : `${id}-1`
