import { type Acquirer, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { acquirerOf } from '#shared/acquirer/acquirers.ts'
import { isRepeatable, nextInquiryAt } from '#shared/acquirer/inquiry-schedule.ts'
import type { Attempt, Outcome, Payment } from '#shared/domain/payment.ts'
import { isAtProvider } from '#shared/domain/payment-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Message, PlatformUnavailable } from '#shared/platform/ports.ts'
import { attempts, attemptsOf } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { watchCharge } from './follow-payment.ts'
import { isRecordable, recordOutcome, waitsForVoid } from './record-outcome.ts'
import { inquire, type OperationRecords, sendOrder } from './send-order.ts'

const DAY_MS = 86_400_000

/** Inquires about a charge, and sends its order under the same key if the order never arrived. */
export type ResumeCharge = (
  work: UnitOfWork,
  acquirer: Acquirer,
  charge: { readonly payment: Payment; readonly attempt: Attempt },
) => Promise<Outcome>

/**
 * Inquires at the acquirer about an operation whose outcome is unknown, and records the outcome or schedules the next
 * inquiry. If the order never arrived, the operation fails, and the acquirer rejects a late order. There are two
 * exceptions: an operation that the acquirer repeats is sent again, and `resume` sends a subscription's charge that
 * never arrived. Only a worker that can open payment details passes `resume`. The last inquiry of the schedule logs an
 * error, because an operator must act. After that, a payment of a subscription or at a provider is still inquired about
 * once a day. A charge whose outcome is known is looked up instead, while its payment waits for the customer. A message
 * with an outdated due time is dropped.
 */
export async function resolveAttempt(work: UnitOfWork, message: Message, resume?: ResumeCharge): Promise<void> {
  const { pk, sk, due_at } = message
  const attempt = await work.at(attempts, { pk, sk })
  if (attempt?.outcome && attempt.watch_at === due_at) return watchCharge(work, attempt)
  if (!attempt || attempt.inquire_at !== due_at) return
  const payment = await work.get(payments, attempt.payment)
  const found = waitsForVoid(payment, attempt)
    ? new OutcomeUnknown()
    : await foundNow(work, { payment, attempt }, resume)
  if (!(found instanceof OutcomeUnknown) && isRecordable(payment, attempt, found)) {
    await work.commit((await recordOutcome(work, payment, attempt, found)).changes)
    return
  }
  const inquiries = attempt.inquiries + 1
  const next = nextInquiryAt(inquiries, work.now())
  const goes_on = payment.occurrence !== null || isAtProvider(payment)
  const inquire_at = next ?? (goes_on ? timestamp(work.now() + DAY_MS) : null)
  const reference = found.reference ?? attempt.reference ?? null
  await work.commit([changed(attemptsOf(payment), { ...attempt, inquiries, inquire_at, reference })])
  logUnknown(work, attempt, next === null)
}

/** Logs that an outcome is still unknown: as an error once the schedule ends, because an operator must act then. */
function logUnknown(work: UnitOfWork, { payment, sent_at }: Attempt, is_last: boolean): void {
  const { merchant, platform } = work
  const unresolved_seconds = Math.floor((work.now() - Date.parse(sent_at)) / 1000)
  const line = { merchant, payment, unresolved_seconds }
  if (is_last) platform.log({ level: 'error', event: 'charge_unresolved', ...line })
  else platform.log({ level: 'info', event: 'charge_unknown', ...line })
}

async function foundNow(
  work: UnitOfWork,
  records: OperationRecords,
  resume: ResumeCharge | undefined,
): Promise<Outcome | OutcomeUnknown> {
  const { payment, attempt } = records
  const acquirer = acquirerOf(work, attempt.mode, payment)
  try {
    if (resume && attempt.operation === 'charge' && payment.status === 'pending')
      return await resume(work, acquirer, records)
    if (acquirer.repeats.has(attempt.operation)) return await repeated(work, acquirer, records)
    return await inquire(work, acquirer, records, true)
  } catch (error) {
    if (error instanceof OutcomeUnknown) return error
    if (error instanceof PlatformUnavailable) return new OutcomeUnknown()
    throw error
  }
}

/**
 * Inquires about an operation that is wanted no matter when it takes effect, and sends it again if it never arrived. A
 * void that the acquirer has no id for is sent at once. An operation whose key the acquirer may have forgotten is not
 * sent again, except for a void: a second void has no effect.
 */
async function repeated(work: UnitOfWork, acquirer: Acquirer, records: OperationRecords): Promise<Outcome> {
  const { attempt } = records
  const is_void = attempt.operation === 'void'
  if (is_void && !attempt.reference) return sendOrder(work, acquirer, records)
  const outcome = await inquire(work, acquirer, records, false)
  if (outcome.result !== 'never_arrived') return outcome
  if (is_void || isRepeatable(attempt, work.now())) return sendOrder(work, acquirer, records)
  return inquire(work, acquirer, records, true)
}
