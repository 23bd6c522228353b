import { storeDetails } from '#shared/customers/store-payment-details.ts'
import { createCustomer } from '#shared/domain/customer.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Session } from '#shared/domain/session.ts'
import { completed } from '#shared/domain/session-states.ts'
import { isSecureToken } from '#shared/payments/secure-token-source.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type PaidSession, refuseOtherTypes } from './session-payment.ts'

/**
 * Returns the changes that store the customer of a session of mode `customer` with their payment details, and complete
 * the session. The acquirer is not involved.
 */
export async function storeCustomer(
  work: UnitOfWork,
  session: Session,
  payment_details: PaymentDetails | string,
): Promise<{ changes: readonly Change[]; answer: PaidSession }> {
  const id = work.newId('customer')
  const stored = await storeDetails(work, id, payment_details)
  refuseOtherTypes(session, stored.source!.type)
  const now = work.now()
  // The customer typed the e-mail address of the payment details, so it overrides the one that the merchant gave.
  const fields = { ...session, email: stored.email ?? session.email }
  const { next: customer, events } = createCustomer(id, fields, stored, now)
  const secure_token = typeof payment_details === 'string' && isSecureToken(payment_details) ? payment_details : null
  const next = completed(session, now, { customer_id: id, secure_token })
  return {
    changes: [
      changed(sessions, next, [], { must_record: true }),
      changed(customers, customer, events),
      ...stored.changes,
    ],
    answer: { session: next, payment: undefined, declined: null },
  }
}
