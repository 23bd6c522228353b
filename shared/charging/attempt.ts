import { Refusal } from '#shared/domain/errors.ts'
import type { Attempt, InFlight, Mode, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { pageUrl } from '#shared/store/page-url.ts'
import type { Work } from '#shared/store/work.ts'
import type { Acquirer, Order } from './acquirer.ts'
import { nextInquiryAt } from './inquiries.ts'
import { sandbox } from './sandbox.ts'

/** Whether no money moves in what this merchant charges: its customers may then decide for their banks. */
export const isSandbox = ({ platform, mode }: Work): boolean => mode === 'test' || platform.live_acquirer === 'sandbox'

/** Who charges in this mode. Live payments of a stage without an acquirer are refused with `service_unavailable`. */
export function acquirerOf({ platform, merchant, scenario }: Work, mode: Mode): Acquirer {
  if (mode === 'live' && platform.live_acquirer === 'none')
    throw new Refusal('service_unavailable', { message: 'Live payments are not set up here yet.' })
  return sandbox(platform, merchant, mode === 'test' ? scenario : undefined)
}

/** The row of an operation that is about to be sent. Its first inquiry is due in case no outcome is ever recorded. */
export function attemptOf(work: Work, payment: Payment, operation: InFlight, token: string | null = null): Attempt {
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

/** What the acquirer is asked for. */
export function orderOf(work: Work, payment: Payment, attempt: Attempt, details?: PaymentDetails): Order {
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

/** What the acquirer knows a charge by. That of a subscription is named by its interval and try, so no two can be made. */
const chargeKey = ({ id, occurrence }: Payment): string =>
  occurrence ? `${occurrence.subscription}-${occurrence.interval}-${occurrence.try}` : `${id}-1`
