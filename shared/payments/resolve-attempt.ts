import { type Acquirer, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { withAcquirerTimeout } from '#shared/acquirer/acquirer-timeout.ts'
import { acquirerOf, orderOf } from '#shared/acquirer/attempt.ts'
import { nextInquiryAt } from '#shared/acquirer/inquiry-schedule.ts'
import type { Attempt, Outcome, Payment } from '#shared/domain/payment.ts'
import { isOpen } from '#shared/domain/payment-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Message, PlatformUnavailable } from '#shared/platform/ports.ts'
import { attempts, attemptsOf } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { recordOutcome, waitsForVoid } from './record-outcome.ts'

/** Inquires about a charge, and sends its order under the same key if the order never arrived. */
export type ResumeCharge = (
  work: UnitOfWork,
  acquirer: Acquirer,
  charge: { readonly payment: Payment; readonly attempt: Attempt },
) => Promise<Outcome>

/**
 * Inquires at the acquirer about an operation whose outcome is unknown, and records the outcome or schedules the next
 * inquiry. If the order never arrived, the operation fails, and the acquirer rejects a late order. There are two
 * exceptions: a void is sent without an inquiry, and `resume` sends a subscription's charge that never arrived.
 * Only a worker that can open payment details passes `resume`. The last inquiry of the schedule logs an error, because
 * an operator must act. After that, a subscription's payment is still inquired about once a day. A message with an
 * outdated due time is dropped.
 */
export async function resolveAttempt(work: UnitOfWork, message: Message, resume?: ResumeCharge): Promise<void> {
  const { pk, sk, due_at } = message
  const attempt = await work.at(attempts, { pk, sk })
  if (!attempt || attempt.inquire_at !== due_at) return
  const payment = await work.get(payments, attempt.payment)
  const outcome = waitsForVoid(payment, attempt) ? undefined : await outcomeNow(work, { payment, attempt }, resume)
  if (outcome && !keepsMoney(payment, attempt, outcome)) {
    await work.commit((await recordOutcome(work, payment, attempt, outcome)).changes)
    return
  }
  const inquiries = attempt.inquiries + 1
  const next = nextInquiryAt(inquiries, work.now())
  const inquire_at = next ?? (payment.occurrence ? timestamp(work.now() + DAY_MS) : null)
  await work.commit([changed(attemptsOf(payment), { ...attempt, inquiries, inquire_at })])
  logUnknown(work, attempt, next === null)
}

/** Logs that an outcome is still unknown: as an error once the schedule ends, because an operator must act then. */
function logUnknown({ merchant, platform }: UnitOfWork, { payment, sent_at }: Attempt, is_last: boolean): void {
  const unresolved_seconds = Math.floor((platform.clock.now() - Date.parse(sent_at)) / 1000)
  const line = { merchant, payment, unresolved_seconds }
  if (is_last) platform.log({ level: 'error', event: 'charge_unresolved', ...line })
  else platform.log({ level: 'info', event: 'charge_unknown', ...line })
}

const DAY_MS = 86_400_000

/**
 * Whether the acquirer declined the void of a payment that has ended. Such a void is repeated and not recorded, because
 * the customer's money is not returned yet.
 */
const keepsMoney = (payment: Payment, { operation }: Attempt, { result }: Outcome): boolean =>
  operation === 'void' && result === 'declined' && !isOpen(payment)

async function outcomeNow(
  work: UnitOfWork,
  { payment, attempt }: { readonly payment: Payment; readonly attempt: Attempt },
  resume: ResumeCharge | undefined,
): Promise<Outcome | undefined> {
  const acquirer = acquirerOf(work, attempt.mode)
  try {
    if (resume && attempt.operation === 'charge' && payment.status === 'pending')
      return await resume(work, acquirer, { payment, attempt })
    if (attempt.operation !== 'void')
      return await withAcquirerTimeout(work, acquirer.inquire(attempt.key, { final: true }))
    return await withAcquirerTimeout(work, acquirer.send(orderOf(work, payment, attempt)))
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) return undefined
    throw error
  }
}
