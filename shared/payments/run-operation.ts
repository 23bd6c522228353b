import { type Acquirer, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { acquirerOf } from '#shared/acquirer/acquirers.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { keepingProgress, OperationInterrupted, type StartedProgress } from '#shared/domain/operation-progress.ts'
import type { Outcome, Payment } from '#shared/domain/payment.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { findAttempt } from '#shared/store/attempts.ts'
import type { Change } from '#shared/store/change.ts'
import type { OperationContext } from '#shared/store/operation-lease.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { beginOperation, type OperationPlan, openDetails } from './begin-operation.ts'
import { recordOutcome, waitsForVoid } from './record-outcome.ts'
import { resumeOperation, sendOnce } from './resume-operation.ts'
import { learned, type OperationRecords } from './send-order.ts'

/**
 * The result of an operation: the changes of its outcome, the response to the merchant (the payment, or the refusal of
 * a declined operation) and the progress.
 */
export interface OperationResult {
  readonly changes: readonly Change[]
  readonly answer: Payment | Refusal
  readonly progress: StartedProgress
}

/**
 * `runOperation` runs one operation at the acquirer, at most once: it commits the operation with its payment, sends the
 * order, and returns the changes of the outcome, which the caller commits. An operation that has begun is resumed and
 * never repeated, also by a later request with the same idempotency key. Refuses with `gateway_timeout` while the
 * outcome is unknown. Every error after the operation has begun is an `OperationInterrupted` with the progress.
 */
export async function runOperation(
  work: UnitOfWork,
  { progress, lease }: OperationContext,
  plan: OperationPlan,
): Promise<OperationResult> {
  acquirerOf(work, work.mode)
  const { started, details } =
    progress.state === 'fresh'
      ? await beginOperation(work, lease, plan)
      : { started: progress, details: progress.state === 'begun' ? openDetails(plan) : undefined }
  const { payment: id, attempt: number } = started
  return keepingProgress(started, async () => {
    const opened = await details
    const attempt = (await findAttempt(work, id, number))!
    const payment = await work.get(payments, id)
    const records = { payment, attempt, details: opened }
    const acquirer = acquirerOf(work, attempt.mode, payment)
    const outcome =
      started.state === 'resolved'
        ? started.outcome
        : (attempt.outcome ?? (await outcomeOf(work, acquirer, records, progress.state === 'fresh' ? 'send' : plan)))
    const resolved = { state: 'resolved', payment: id, attempt: number, outcome } as const
    return keepingProgress(resolved, async () => {
      if (!attempt.outcome && waitsForVoid(payment, attempt)) throw notKnown(payment)
      return { ...(await recordOutcome(work, payment, attempt, outcome)), progress: resolved }
    })
  })
}

/** Whether an error means that an operation's outcome is unknown. Scheduled inquiries resolve the outcome later. */
export const isUnknownOutcome = (error: unknown): error is OperationInterrupted =>
  error instanceof OperationInterrupted && error.cause instanceof Refusal && error.cause.code === 'gateway_timeout'

const notKnown = ({ id }: Payment): Refusal => new Refusal('gateway_timeout', { details: { payment: id } })

async function outcomeOf(
  work: UnitOfWork,
  acquirer: Acquirer,
  asked: OperationRecords,
  resumed: OperationPlan | 'send',
): Promise<Outcome> {
  try {
    return await storingReference(work, asked, () =>
      resumed === 'send' ? sendOnce(work, acquirer, asked) : resumeOperation(work, acquirer, asked, resumed.source),
    )
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) throw notKnown(asked.payment)
    throw error
  }
}

/**
 * Runs `ask`. If the outcome stays unknown and the acquirer's id of the operation is known, the id is stored, so that
 * the next inquiry finds the operation.
 */
async function storingReference(
  work: UnitOfWork,
  { payment, attempt }: OperationRecords,
  ask: () => Promise<Outcome>,
): Promise<Outcome> {
  try {
    return await ask()
  } catch (error) {
    if (error instanceof OutcomeUnknown) await work.commit(learned(payment, attempt, error))
    throw error
  }
}
