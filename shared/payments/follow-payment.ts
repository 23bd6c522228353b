import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { acquirerOf } from '#shared/acquirer/acquirers.ts'
import { type FollowUp, follow, type ReportedPayment, reportOf } from '#shared/domain/follow-payment.ts'
import type { Attempt, Outcome, Payment } from '#shared/domain/payment.ts'
import { isOpen } from '#shared/domain/payment-states.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { attempts, attemptsOf, chargeOf, findAttempt } from '#shared/store/attempts.ts'
import { type Change, changed, changedIn } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { completionOf } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { recordOccurrence } from './record-occurrence.ts'
import { isRecordable, recordOutcome, waitsForVoid, watchOf, withVoid } from './record-outcome.ts'
import { inquire } from './send-order.ts'

/**
 * Brings a payment to the state that its provider reports, and commits the changes. `report` is read from the provider
 * after anything that it is about, and `payment` after `report`. Repeating a report changes nothing more. Operations in
 * flight are inquired about first. A report about another charge than that of the payment only raises an alarm. Before
 * an alarm, `reportAgain` reads the report anew, because the payment can have changed after the first one. Throws
 * `WriteConflict` if the payment has changed since it was read: read both again. Throws `OutcomeUnknown` if an operation
 * in flight cannot be inquired about.
 */
export async function followPayment(
  work: UnitOfWork,
  payment: Payment,
  report: ReportedPayment,
  reportAgain?: () => Promise<ReportedPayment | undefined>,
): Promise<void> {
  const after = await settled(work, payment)
  const result = (await isOfAnother(work, after, report)) ? disagreement : followUp(work, after, report)
  if (reportAgain && result.step === 'alarm') {
    const newer = await reportAgain()
    return newer && followPayment(work, after, newer)
  }
  // The report is older than the outcomes that were just recorded, so a difference proves nothing.
  if (after.version !== payment.version && result.step === 'alarm') return
  await work.commit(await changesOf(work, after, result))
}

/**
 * Looks up the charge of a payment that waits for its customer, follows what is found, and schedules the next look-up.
 * A payment that no longer waits is not looked up again.
 */
export async function watchCharge(work: UnitOfWork, charge: Attempt): Promise<void> {
  const payment = await work.get(payments, charge.payment)
  const outcome = isOpen(payment) ? await outcomeOf(work, payment, charge) : undefined
  const changes = outcome ? await changesOf(work, payment, followUp(work, payment, reportOf(outcome))) : []
  const watch_at = watchOf(work, changedIn(changes, payments) ?? payment, charge)
  const reference = outcome?.reference ?? charge.reference ?? null
  await work.commit([...changes, changed(attemptsOf(payment), { ...charge, watch_at, reference })])
}

const disagreement: FollowUp = { step: 'alarm', event: 'provider_disagrees' }

/**
 * Whether a report is about another charge than that of the payment. The charge of the payment may have been found only
 * now, by the inquiry about it. A charge that ended without an id never existed at the provider.
 */
async function isOfAnother(work: UnitOfWork, payment: Payment, { reference }: ReportedPayment): Promise<boolean> {
  if (reference === undefined) return false
  const charge = await chargeOf(work, payment)
  return charge?.reference ? charge.reference !== reference : Boolean(charge?.outcome)
}

const followUp = (work: UnitOfWork, payment: Payment, report: ReportedPayment): FollowUp =>
  follow(payment, report, { now: work.now(), newRefundId: () => work.newId('refund') })

/** Returns the changes of a follow-up. Operations in flight have their own inquiries. */
async function changesOf(work: UnitOfWork, payment: Payment, result: FollowUp): Promise<Change[]> {
  switch (result.step) {
    case 'settle':
    case 'keep':
      return []
    case 'alarm':
      work.platform.log({ level: 'error', event: result.event, merchant: work.merchant, payment: payment.id })
      return []
    case 'void': {
      const { next, attempt } = withVoid(work, payment)
      return [changed(payments, next, [], { must_record: true }), changed(attempts, attempt)]
    }
    case 'change': {
      const { next, events } = result
      return [
        changed(payments, next, events, { must_record: true }),
        ...(await completionOf(work, payment, next)),
        ...(await recordOccurrence(work, payment, next, { result: 'done' })),
      ]
    }
  }
}

/**
 * Inquires about each operation in flight, and records the outcomes that are known. Returns the payment afterwards. An
 * operation without an outcome stays in flight: its scheduled inquiries resolve it.
 */
async function settled(work: UnitOfWork, payment: Payment): Promise<Payment> {
  for (const { attempt: number } of payment.in_flight) {
    const attempt = await findAttempt(work, payment.id, number)
    const before = await work.get(payments, payment.id)
    if (!attempt || attempt.outcome || waitsForVoid(before, attempt)) continue
    const outcome = await inquire(work, acquirerOf(work, attempt.mode, before), { payment: before, attempt }, false)
    if (outcome.result === 'never_arrived') continue
    if (isRecordable(before, attempt, outcome))
      await work.commit((await recordOutcome(work, before, attempt, outcome)).changes)
  }
  return work.get(payments, payment.id)
}

/** The outcome of a charge at this moment; undefined if the provider does not say. */
async function outcomeOf(work: UnitOfWork, payment: Payment, attempt: Attempt): Promise<Outcome | undefined> {
  try {
    return await inquire(work, acquirerOf(work, attempt.mode, payment), { payment, attempt }, false)
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) return undefined
    throw error
  }
}
