import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { withAcquirerTimeout } from '#shared/acquirer/acquirer-timeout.ts'
import { acquirerOf } from '#shared/acquirer/acquirers.ts'
import { orderOf } from '#shared/acquirer/attempt.ts'
import { reportOf } from '#shared/domain/follow-payment.ts'
import type { Attempt, Outcome, Payment } from '#shared/domain/payment.ts'
import { isOffSite } from '#shared/domain/payment-decisions.ts'
import { PlatformUnavailable } from '#shared/platform/ports.ts'
import { chargeOf } from '#shared/store/attempts.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { followPayment } from './follow-payment.ts'

/** How long a customer who comes back waits for the provider, in milliseconds. */
const LOOK_UP_WITHIN_MS = 5_000

/**
 * Looks up the payment of a customer who comes back from the provider, because the customer can be faster than the
 * notification. Commits what the provider reports, and returns the payment after that. The payment stays pending if the
 * provider does not respond within five seconds.
 */
export async function lookUpReturned(work: UnitOfWork, payment: Payment): Promise<Payment> {
  const charge = isOffSite(payment) ? await chargeOf(work, payment) : undefined
  if (!charge) return payment
  try {
    await followPayment(work, payment, reportOf(await outcomeOf(work, payment, charge)))
  } catch (error) {
    if (!(error instanceof OutcomeUnknown || error instanceof PlatformUnavailable)) throw error
  }
  work.forget()
  return work.get(payments, payment.id)
}

/** The outcome of the charge at this moment. Throws `OutcomeUnknown` if the provider does not say. */
async function outcomeOf(work: UnitOfWork, payment: Payment, charge: Attempt): Promise<Outcome> {
  const order = await orderOf(work, payment, charge)
  const acquirer = acquirerOf(work, charge.mode, payment)
  return withAcquirerTimeout(work, (within) => acquirer.inquire(order, {}, within), LOOK_UP_WITHIN_MS)
}
