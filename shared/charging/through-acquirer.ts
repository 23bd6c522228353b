import { Refusal } from '#shared/domain/errors.ts'
import type { Attempt, InFlight, Outcome, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { shown } from '#shared/resources/payment-details.ts'
import { attempts, attemptsOf } from '#shared/store/attempts.ts'
import { type Change, changed, refuseOversize } from '#shared/store/change.ts'
import { attemptKey } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import type { Work } from '#shared/store/work.ts'
import { type Acquirer, DuplicateOrder, OutcomeUnknown } from './acquirer.ts'
import { acquirerOf, attemptOf, orderOf } from './attempt.ts'
import { settlement, waitsForVoid } from './settlement.ts'
import { within } from './within.ts'

/** What a request wants of the acquirer. */
export interface Plan {
  /** Decides: the payment with the operation in flight, and what must be committed with it. Refuses, or begins. */
  begin(): Promise<{ next: Payment; operation: InFlight; also?: readonly Change[]; token?: string }>
  /** The details to charge; undefined when there are none any more. Needed for a charge alone. */
  details?(): Promise<PaymentDetails | undefined>
}

/**
 * Does one operation at the acquirer, at most once whatever happens: the operation is committed with its payment before
 * it is sent, and the outcome after it. Answers the changes that the outcome makes and what the merchant is told: the
 * payment, or why it was declined. An unknown outcome is refused with `gateway_timeout`; asked again with the same
 * idempotency key, what was begun is resumed and not repeated.
 */
export async function throughAcquirer(
  work: Work,
  plan: Plan,
): Promise<{ changes: readonly Change[]; answer: Payment | Refusal }> {
  const acquirer = acquirerOf(work, work.mode)
  work.begun ??= work.claim?.bound && { ...work.claim.bound }
  const resumes = work.begun !== undefined
  const details = work.begun?.outcome ? undefined : await begin(work, plan)
  const begun = work.begun!
  const attempt = await work.at(attempts, attemptKey(work.merchant, begun.payment, begun.attempt))
  const payment = await work.get(payments, begun.payment)
  begun.outcome ??=
    attempt!.outcome ?? (await outcomeOf(work, acquirer, resumes, { payment, attempt: attempt!, details }))
  if (!attempt!.outcome && waitsForVoid(payment, attempt!)) throw notKnown(payment)
  return settlement(work, payment, attempt!, begun.outcome)
}

const notKnown = ({ id }: Payment): Refusal => new Refusal('gateway_timeout', { details: { payment: id } })

/** Commits what begins, unless it has begun, and opens the details meanwhile. */
async function begin(work: Work, plan: Plan): Promise<PaymentDetails | undefined> {
  if (work.begun) return plan.details?.()
  const { next, operation, also = [], token = null } = await plan.begin()
  const attempt = attemptOf(work, next, operation, token)
  const binding = { payment: next.id, attempt: attempt.number }
  const changes = [changed(payments, next), changed(attemptsOf(next), attempt), ...also]
  refuseOversize(changes)
  const details = plan.details?.()
  // What is being written has to be waited for, even when the details turn out to stay shut.
  details?.catch(() => undefined)
  await work.commit(changes, work.claim ? [work.claim.bind(binding)] : [])
  work.claim?.held()
  work.begun = binding
  return details
}

/** One operation that was begun, and the details it charges, if there still are any. */
export interface Asked {
  readonly payment: Payment
  readonly attempt: Attempt
  readonly details: PaymentDetails | undefined
}

async function outcomeOf(work: Work, acquirer: Acquirer, resumes: boolean, asked: Asked): Promise<Outcome> {
  try {
    return resumes ? await resumed(work, acquirer, asked) : await sent(work, acquirer, asked)
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) throw notKnown(asked.payment)
    throw error
  }
}

/** What became of what an earlier request began. What never arrived is sent now, if it is still the same. */
export async function resumed(work: Work, acquirer: Acquirer, asked: Asked): Promise<Outcome> {
  const final = asked.attempt.operation === 'charge' && !belong(asked.details, asked.payment)
  const outcome = await within(work, acquirer.inquire(asked.attempt.key, { final }))
  return final || outcome.result !== 'never_arrived' ? outcome : sent(work, acquirer, asked)
}

async function sent(work: Work, acquirer: Acquirer, { payment, attempt, details }: Asked): Promise<Outcome> {
  try {
    return await within(work, acquirer.send(orderOf(work, payment, attempt, details)))
  } catch (error) {
    if (!(error instanceof DuplicateOrder)) throw error
    const outcome = await within(work, acquirer.inquire(attempt.key))
    // It has just said that it has it.
    if (outcome.result === 'never_arrived') throw new OutcomeUnknown()
    return outcome
  }
}

/** Whether these are the details that the payment was begun with: a customer may have others by now. */
function belong(details: PaymentDetails | undefined, { payment_details }: Payment): boolean {
  if (!details) return false
  const { email, ...fields } = shown(details)
  return Object.entries(fields).every(([name, value]) => payment_details[name] === value)
}
