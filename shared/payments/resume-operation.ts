import { type Acquirer, DuplicateOrder, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { isRepeatable } from '#shared/acquirer/inquiry-schedule.ts'
import type { Outcome, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { isAtProvider } from '#shared/domain/payment-states.ts'
import { shown } from '#shared/resources/payment-details.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { ChargedSource } from './payment-source.ts'
import { inquire, type OperationRecords, sendOrder } from './send-order.ts'

/**
 * Inquires about an operation that an earlier request began, and sends its order if the order never arrived. A charge
 * whose payment details have changed or no longer exist is not sent, and the acquirer then rejects a late order. The same
 * applies to a charge whose key the provider may have forgotten.
 */
export async function resumeOperation(
  work: UnitOfWork,
  acquirer: Acquirer,
  asked: OperationRecords,
  source: ChargedSource | undefined,
): Promise<Outcome> {
  const is_charge = asked.attempt.operation === 'charge'
  const end = () => inquire(work, acquirer, asked, true)
  if (is_charge && !belong(asked.details, asked.payment)) return end()
  const outcome = await inquire(work, acquirer, asked, false)
  if (outcome.result !== 'never_arrived') return outcome
  if (is_charge && isAtProvider(asked.payment) && !isRepeatable(asked.attempt, work.now())) return end()
  const details = is_charge ? await reopened(work, source) : undefined
  if (is_charge && !belong(details, asked.payment)) return end()
  return sendOnce(work, acquirer, { ...asked, details })
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

/** Sends an order and returns its outcome. If the acquirer already has the order, the outcome is inquired about. */
export async function sendOnce(work: UnitOfWork, acquirer: Acquirer, asked: OperationRecords): Promise<Outcome> {
  try {
    return await sendOrder(work, acquirer, asked)
  } catch (error) {
    if (!(error instanceof DuplicateOrder)) throw error
    const outcome = await inquire(work, acquirer, asked, false)
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
