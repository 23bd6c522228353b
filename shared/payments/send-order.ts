import { type Acquirer, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { withAcquirerTimeout } from '#shared/acquirer/acquirer-timeout.ts'
import { orderOf } from '#shared/acquirer/attempt.ts'
import type { Attempt, Outcome, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { isAtProvider } from '#shared/domain/payment-states.ts'
import { attemptsOf, chargeOf } from '#shared/store/attempts.ts'
import { type Change, changed } from '#shared/store/change.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** The records of an operation that has begun. `details` are the payment details to charge, if they still exist. */
export interface OperationRecords {
  readonly payment: Payment
  readonly attempt: Attempt
  readonly details?: PaymentDetails | undefined
}

/**
 * Sends the order of an operation and returns its outcome. A void needs the provider's id of its charge: a charge whose
 * id is unknown is ended first, and there is nothing to void if it never took effect.
 */
export async function sendOrder(
  work: UnitOfWork,
  acquirer: Acquirer,
  { payment, attempt, details }: OperationRecords,
): Promise<Outcome> {
  const order = await orderOf(work, payment, attempt, details)
  if (order.operation !== 'void' || order.of !== null || !isAtProvider(payment))
    return withAcquirerTimeout(work, (within) => acquirer.send(order, within))
  const charge = await endCharge(work, acquirer, payment)
  if (charge && ['never_arrived', 'declined', 'expired'].includes(charge.result)) return { result: 'done' }
  if (charge?.result === 'accepted') throw new OutcomeUnknown()
  const of = charge?.reference ?? null
  return withAcquirerTimeout(work, (within) => acquirer.send({ ...order, of }, within))
}

/** Inquires about the charge of a payment so that it cannot take effect later, and stores the provider's id of it. */
async function endCharge(work: UnitOfWork, acquirer: Acquirer, payment: Payment): Promise<Outcome | undefined> {
  const attempt = await chargeOf(work, payment)
  if (!attempt) return undefined
  try {
    const outcome = await inquire(work, acquirer, { payment, attempt }, true)
    await work.commit(learned(payment, attempt, outcome))
    return outcome
  } catch (error) {
    if (!(error instanceof OutcomeUnknown)) throw error
    await work.commit(learned(payment, attempt, error))
    // The id in the error is that of the charge, and the caller would store it as the id of the void.
    throw new OutcomeUnknown()
  }
}

/** Inquires about an operation. With `final`, an order that has not taken effect yet never takes effect. */
export async function inquire(
  work: UnitOfWork,
  acquirer: Acquirer,
  { payment, attempt }: OperationRecords,
  final: boolean,
): Promise<Outcome> {
  const order = await orderOf(work, payment, attempt)
  return withAcquirerTimeout(work, (within) => acquirer.inquire(order, { final }, within))
}

/** Returns the change that stores the acquirer's id of an operation, if it was not known before. */
export const learned = (
  payment: Payment,
  attempt: Attempt,
  { reference }: { readonly reference?: string | undefined },
): Change[] =>
  reference === undefined || reference === attempt.reference
    ? []
    : [changed(attemptsOf(payment), { ...attempt, reference })]
