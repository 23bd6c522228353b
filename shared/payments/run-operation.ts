import { type Acquirer, DuplicateOrder, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { withAcquirerTimeout } from '#shared/acquirer/acquirer-timeout.ts'
import { acquirerOf, attemptOf, orderOf } from '#shared/acquirer/attempt.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { keepingProgress, OperationInterrupted, type StartedProgress } from '#shared/domain/operation-progress.ts'
import type { Attempt, InFlight, Outcome, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { shown } from '#shared/resources/payment-details.ts'
import { attempts, attemptsOf } from '#shared/store/attempts.ts'
import { type Change, changed, refuseOversize } from '#shared/store/change.ts'
import { attemptKey } from '#shared/store/keys.ts'
import type { OperationContext, OperationLease } from '#shared/store/operation-lease.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { ChargedSource } from './payment-source.ts'
import { recordOutcome, waitsForVoid } from './record-outcome.ts'

/** The plan of one operation at the acquirer: how the operation begins, and the payment details that it charges. */
export interface OperationPlan {
  /**
   * Returns the payment with the operation in flight, the operation, the changes to commit with them (`also`) and the
   * token that the charge spends. Refuses an operation that the payment does not allow.
   */
  begin(): Promise<{ next: Payment; operation: InFlight; also?: readonly Change[]; token?: string }>
  /** The source that a charge is made from. Other operations have none. */
  readonly source?: ChargedSource
}

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
  const acquirer = acquirerOf(work, work.mode)
  const { started, details } =
    progress.state === 'fresh'
      ? await begin(work, lease, plan)
      : { started: progress, details: progress.state === 'begun' ? openDetails(plan) : undefined }
  const { payment: id, attempt: number } = started
  return keepingProgress(started, async () => {
    const opened = await details
    const attempt = (await work.at(attempts, attemptKey(work.merchant, id, number)))!
    const payment = await work.get(payments, id)
    const records = { payment, attempt, details: opened }
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

/** Commits the payment, the attempt and the changes of the plan. Opens the payment details at the same time. */
async function begin(work: UnitOfWork, lease: OperationLease | undefined, plan: OperationPlan) {
  const { next, operation, also = [], token = null } = await plan.begin()
  const attempt = attemptOf(work, next, operation, token)
  const started = { state: 'begun', payment: next.id, attempt: attempt.number } as const
  const changes = [changed(payments, next), changed(attemptsOf(next), attempt), ...also]
  refuseOversize(changes)
  const details = openDetails(plan)
  await work.commit(changes, lease ? [lease.bind(started)] : [])
  lease?.held()
  return { started, details }
}

/**
 * Starts to open the payment details. The caller awaits the commit before the details, so the empty `catch` prevents an
 * unhandled rejection meanwhile.
 */
function openDetails(plan: OperationPlan): Promise<PaymentDetails | undefined> | undefined {
  const details = plan.source?.open()
  details?.catch(() => undefined)
  return details
}

/** The records of an operation that has begun. `details` are the payment details to charge, if they still exist. */
export interface OperationRecords {
  readonly payment: Payment
  readonly attempt: Attempt
  readonly details: PaymentDetails | undefined
}

async function outcomeOf(
  work: UnitOfWork,
  acquirer: Acquirer,
  asked: OperationRecords,
  resumed: OperationPlan | 'send',
): Promise<Outcome> {
  try {
    if (resumed === 'send') return await sent(work, acquirer, asked)
    return await resumeOperation(work, acquirer, asked, resumed.source)
  } catch (error) {
    if (error instanceof OutcomeUnknown || error instanceof PlatformUnavailable) throw notKnown(asked.payment)
    throw error
  }
}

/**
 * Inquires about an operation that an earlier request began, and sends its order if the order never arrived. A charge
 * whose payment details have changed or no longer exist is not sent, and the acquirer then rejects a late order.
 */
export async function resumeOperation(
  work: UnitOfWork,
  acquirer: Acquirer,
  asked: OperationRecords,
  source: ChargedSource | undefined,
): Promise<Outcome> {
  const is_charge = asked.attempt.operation === 'charge'
  const inquire = (final: boolean) => withAcquirerTimeout(work, acquirer.inquire(asked.attempt.key, { final }))
  if (is_charge && !belong(asked.details, asked.payment)) return inquire(true)
  const outcome = await inquire(false)
  if (outcome.result !== 'never_arrived') return outcome
  const details = is_charge ? await reopened(work, source) : undefined
  if (is_charge && !belong(details, asked.payment)) return inquire(true)
  return sent(work, acquirer, { ...asked, details })
}

/**
 * Opens payment details again after an inquiry, which can take seconds. A transaction checks that a customer's card is
 * still stored, so no card is charged after a response has confirmed its deletion.
 */
async function reopened(work: UnitOfWork, source: ChargedSource | undefined): Promise<PaymentDetails | undefined> {
  work.forget()
  const [details, checks = []] = await Promise.all([source?.open(), source?.checks()])
  await work.commit(checks)
  return details
}

async function sent(
  work: UnitOfWork,
  acquirer: Acquirer,
  { payment, attempt, details }: OperationRecords,
): Promise<Outcome> {
  try {
    return await withAcquirerTimeout(work, acquirer.send(orderOf(work, payment, attempt, details)))
  } catch (error) {
    if (!(error instanceof DuplicateOrder)) throw error
    const outcome = await withAcquirerTimeout(work, acquirer.inquire(attempt.key))
    // `DuplicateOrder` means that the order has arrived, so this outcome cannot be true.
    if (outcome.result === 'never_arrived') throw new OutcomeUnknown()
    return outcome
  }
}

/** Whether the details are those that the payment began with. A customer may have replaced the stored details since. */
function belong(details: PaymentDetails | undefined, { payment_details }: Payment): boolean {
  if (!details) return false
  const { email, ...fields } = shown(details)
  return Object.entries(fields).every(([name, value]) => payment_details[name] === value)
}
