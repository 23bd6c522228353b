import { acquirerOf, providerOf, refuseWithoutAnswers } from '#shared/acquirer/acquirers.ts'
import { attemptOf, wantedOf, wantedPart } from '#shared/acquirer/attempt.ts'
import type { InFlight, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { attemptsOf } from '#shared/store/attempts.ts'
import { type Change, changed, refuseOversize } from '#shared/store/change.ts'
import type { OperationLease } from '#shared/store/operation-lease.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { ChargedSource } from './payment-source.ts'

/** The plan of one operation at the acquirer: how the operation begins, and the payment details that it charges. */
export interface OperationPlan {
  /**
   * Returns the payment with the operation in flight, the operation, the changes to commit with them (`also`) and the
   * token that the charge spends, with the provider's id of the hold that its verification has made (`reference`).
   * Refuses an operation that the payment does not allow.
   */
  begin(): Promise<{
    next: Payment
    operation: InFlight
    also?: readonly Change[]
    token?: string | undefined
    reference?: string | undefined
  }>
  /** The source that a charge is made from. Other operations have none. */
  readonly source?: ChargedSource
}

/**
 * Begins an operation: commits the payment, the attempt and the changes of the plan, and opens the payment details at
 * the same time. Refuses an operation that the payment does not allow, or that its acquirer cannot make.
 */
export async function beginOperation(work: UnitOfWork, lease: OperationLease | undefined, plan: OperationPlan) {
  const { next, operation, also = [], token = null, reference = null } = await plan.begin()
  refuseUnchargeable(work, next, operation)
  const attempt = { ...attemptOf(work, next, operation, token), reference }
  const started = { state: 'begun', payment: next.id, attempt: attempt.number } as const
  const begun = withProvider(work, next, operation)
  const changes = [changed(payments, begun), changed(attemptsOf(begun), attempt), ...also]
  refuseOversize(changes)
  const details = openDetails(plan)
  await work.commit(changes, lease ? [lease.bind(started)] : [])
  lease?.held()
  return { started, details }
}

/**
 * Refuses an operation that its acquirer cannot make, before anything is stored: any operation at an acquirer that this
 * stage has no adapter for, a charge, capture or refund that the acquirer does not accept, and any operation while a
 * provider does not answer.
 */
function refuseUnchargeable(work: UnitOfWork, next: Payment, entry: InFlight): void {
  const is_charge = entry.operation === 'charge'
  const charged = is_charge ? undefined : next
  const acquirer = acquirerOf(work, work.mode, charged)
  if (is_charge && isRecurring(next)) return
  if (entry.operation !== 'void') acquirer.accepts(is_charge ? wantedOf(next) : wantedPart(next, entry))
  refuseWithoutAnswers(work, charged)
}

/**
 * Whether the payment captures an interval of a subscription without a request of the merchant. Its failure must be
 * recorded, so it is never refused.
 */
const isRecurring = ({ occurrence }: Payment): boolean =>
  occurrence !== null && (occurrence.interval > 0 || occurrence.try > 0)

/** Returns a payment whose charge begins with the provider that charges it. The provider then never changes. */
const withProvider = (work: UnitOfWork, payment: Payment, { operation }: InFlight): Payment =>
  operation === 'charge' ? { ...payment, provider: providerOf(work, work.mode) } : payment

/**
 * Starts to open the payment details. The caller awaits the commit before the details, so the empty `catch` prevents an
 * unhandled rejection meanwhile.
 */
export function openDetails(plan: OperationPlan): Promise<PaymentDetails | undefined> | undefined {
  const details = plan.source?.open()
  details?.catch(() => undefined)
  return details
}
