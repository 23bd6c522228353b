import type { Attempt, Outcome, Payment } from '#shared/domain/payment.ts'
import { payment_type_rows } from '#shared/domain/payment-details.ts'
import { expire, isOverdue } from '#shared/domain/payment-events.ts'
import { isOpen } from '#shared/domain/payment-states.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Message, PlatformUnavailable } from '#shared/platform/ports.ts'
import { attempts, attemptsOf } from '#shared/store/attempts.ts'
import { changed } from '#shared/store/change.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import type { Work } from '#shared/store/work.ts'
import { OutcomeUnknown } from './acquirer.ts'
import { acquirerOf, orderOf } from './attempt.ts'
import { nextInquiryAt } from './inquiries.ts'
import type { resumeOccurrence } from './resume-occurrence.ts'
import { settlement, waitsForVoid, withVoid } from './settlement.ts'
import { within } from './within.ts'

/**
 * Asks what became of an operation whose outcome was not known, and settles it. What never arrived is given up, but for
 * a void and a subscription's charge, which are sent then. After the last inquiry a person must look: the log says so,
 * and for a subscription the clock goes on asking each day. Only who can open payment details can `resume` the latter.
 */
export async function resolveAttempt(work: Work, message: Message, resume?: typeof resumeOccurrence): Promise<void> {
  const { pk, sk, due_at } = message
  const attempt = await work.at(attempts, { pk, sk })
  if (!attempt || attempt.inquire_at !== due_at) return
  const payment = await work.get(payments, attempt.payment)
  const outcome = waitsForVoid(payment, attempt) ? undefined : await outcomeNow(work, { payment, attempt }, resume)
  if (outcome && !keepsMoney(payment, attempt, outcome)) {
    await work.commit((await settlement(work, payment, attempt, outcome)).changes)
    return
  }
  const inquiries = attempt.inquiries + 1
  const next = nextInquiryAt(inquiries, work.now())
  const inquire_at = next ?? (payment.occurrence ? timestamp(work.now() + DAY_MS) : null)
  await work.commit([changed(attemptsOf(payment), { ...attempt, inquiries, inquire_at })])
  logUnknown(work, attempt, next === null)
}

/** Tells that an outcome is still not known, and when nobody will ask any more, that a person must. */
function logUnknown({ merchant, platform }: Work, { payment, sent_at }: Attempt, is_last: boolean): void {
  const unresolved_seconds = Math.floor((platform.clock.now() - Date.parse(sent_at)) / 1000)
  const line = { merchant, payment, unresolved_seconds }
  if (is_last) platform.log({ level: 'error', event: 'charge_unresolved', ...line })
  else platform.log({ level: 'info', event: 'charge_unknown', ...line })
}

const DAY_MS = 86_400_000

/** Whether money that nobody may keep any more was not given back: that is not settled until it is. */
const keepsMoney = (payment: Payment, { operation }: Attempt, { result }: Outcome): boolean =>
  operation === 'void' && result === 'declined' && !isOpen(payment)

async function outcomeNow(
  work: Work,
  { payment, attempt }: { readonly payment: Payment; readonly attempt: Attempt },
  resume: typeof resumeOccurrence | undefined,
): Promise<Outcome | undefined> {
  const acquirer = acquirerOf(work, attempt.mode)
  try {
    if (resume && attempt.operation === 'charge' && payment.status === 'pending')
      return await resume(work, acquirer, { payment, attempt })
    if (attempt.operation !== 'void') return await within(work, acquirer.inquire(attempt.key, { final: true }))
    return await within(work, acquirer.send(orderOf(work, payment, attempt)))
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) return undefined
    throw error
  }
}

/** Ends a payment whose deadline has passed unpaid, and releases what was held for it. */
export async function expireOverdue(work: Work, { pk, due_at }: Message): Promise<void> {
  const payment = await work.find(payments, merchantAndId(pk).id)
  if (!payment || payment.payment_deadline !== due_at || !isOverdue(payment, work.now())) return
  const { next, events } = expire(payment)
  const held = payment.status === 'authorized' && payment_type_rows[payment.payment_details.type].flow === 'card'
  const voiding = held ? withVoid(work, next) : undefined
  await work.commit([
    changed(payments, voiding?.next ?? next, events, { owed: true }),
    ...(voiding ? [changed(attempts, voiding.attempt)] : []),
  ])
}
