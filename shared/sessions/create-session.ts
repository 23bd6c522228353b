import { acceptedStores, refuseUnpayable } from '#shared/acquirer/accepted-types.ts'
import { acquirerOf } from '#shared/acquirer/acquirers.ts'
import { type NewSession, newSession } from '#shared/domain/new-session.ts'
import type { Session } from '#shared/domain/session.ts'
import { konbini_stores } from '#shared/domain/session-methods.ts'
import { sealedWebhooks } from '#shared/payments/create-payment.ts'
import { unknownCustomer } from '#shared/payments/payment-source.ts'
import type { CreateSession } from '#shared/resources/create-session.ts'
import { shopOf } from '#shared/store/account-of.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { merchants } from '#shared/store/merchants.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Creates a session from a merchant's request. Nothing is charged before the customer pays. Refuses with
 * `service_unavailable` a live session of mode `payment` in a stage without an acquirer, and with `invalid_parameter` an
 * unknown customer.
 */
export async function createSession(
  work: UnitOfWork,
  request: CreateSession,
): Promise<{ changes: readonly Change[]; answer: Session }> {
  const offer = request.mode === 'payment' ? chargeable(work, request) : {}
  const id = work.newId('session')
  const { payment_data, ...fields } = request
  const { capture, webhooks } = payment_data
  const [sealed, shop] = await Promise.all([
    sealedWebhooks(work, id, webhooks),
    ownShop(work),
    refuseUnknown(work, request.customer),
  ])
  const record = newSession({ ...fields, capture, merchant_name: shop.name, ...offer }, id, sealed, work.now())
  return { changes: [changed(sessions, record)], answer: record }
}

/**
 * Returns what the acquirer can charge. A customer must not be sent to a session that no acquirer can charge, and must
 * not be offered a store that the acquirer refuses.
 */
function chargeable(
  work: UnitOfWork,
  { amount, tax, currency }: CreateSession,
): Pick<NewSession, 'accepted' | 'stores'> {
  acquirerOf(work, work.mode)
  const accepted = refuseUnpayable(work, { amount: amount! + tax, currency: currency! })
  const stores = acceptedStores(work)
  return { accepted, ...(stores.length < konbini_stores.length && { stores }) }
}

const ownShop = async (work: UnitOfWork) => shopOf(work, await work.get(merchants, work.merchant))

async function refuseUnknown(work: UnitOfWork, customer: string | undefined): Promise<void> {
  if (customer !== undefined && !(await work.find(customers, customer))) throw unknownCustomer()
}
