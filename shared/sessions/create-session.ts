import { acquirerOf } from '#shared/acquirer/attempt.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
import type { Session } from '#shared/domain/session.ts'
import { isPayableIn } from '#shared/domain/session-methods.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { sealedWebhooks } from '#shared/payments/create-payment.ts'
import type { CreateSession } from '#shared/resources/create-session.ts'
import { type Change, changed } from '#shared/store/change.ts'
import { sessions } from '#shared/store/sessions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Creates a session from a merchant's request. Nothing is charged before the customer pays. Refuses with
 * `service_unavailable` a live session of mode `payment` in a stage without an acquirer.
 */
export async function createSession(
  work: UnitOfWork,
  request: CreateSession,
): Promise<{ changes: readonly Change[]; answer: Session }> {
  refuseUnpayable(request)
  // A customer must not be sent to a session that no acquirer can charge.
  if (request.mode === 'payment') acquirerOf(work, work.mode)
  const id = work.newId('session')
  const { payment_data, expires_in_seconds, amount, currency, payment_types: types, ...asked } = request
  const { capture, external_order_num, webhooks } = payment_data
  const record: Session = {
    ...asked,
    id,
    version: 0,
    status: 'pending',
    amount: asked.mode === 'customer' ? null : amount!,
    currency: currency ?? null,
    capture: capture === 'auto',
    external_order_num,
    webhooks: await sealedWebhooks(work, id, webhooks),
    payment_types: types?.length ? types : offered(request),
    payment: null,
    tries: 0,
    secure_token: null,
    customer_id: null,
    created_at: timestamp(work.now()),
    expires_at: timestamp(work.now() + expires_in_seconds * 1000),
    completed_at: null,
    cancelled_at: null,
  }
  return { changes: [changed(sessions, record)], answer: record }
}

/**
 * Refuses payment types that cannot pay the session: with `invalid_payment_type` any type but a card in mode
 * `customer`, with `invalid_currency` a type of another currency, and with `invalid_parameter` an amount that is too
 * large with the type's fee.
 */
function refuseUnpayable(request: CreateSession): void {
  const { mode, currency, payment_types: types = [] } = request
  for (const [index, type] of types.entries()) {
    const param = `payment_types[${index}]`
    if (mode === 'customer' && type !== 'credit_card')
      throw new Refusal('invalid_payment_type', { param, message: `A ${type} cannot be charged again later.` })
    if (mode === 'payment' && !isPayableIn(type, currency!))
      throw new Refusal('invalid_currency', {
        param,
        message: `Payments of type ${type} cannot be made in ${currency}.`,
      })
    if (!hasRoom(request, type))
      throw new Refusal('invalid_parameter', {
        param: 'amount',
        message: `The amount is too large for ${type} and its fee.`,
      })
  }
}

/**
 * Returns the payment types of a session whose request names none: all types that can pay its amount in its currency,
 * or cards only in mode `customer`.
 */
const offered = (request: CreateSession): Session['payment_types'] =>
  request.mode === 'customer'
    ? ['credit_card']
    : payment_types.filter((type) => isPayableIn(type, request.currency!) && hasRoom(request, type))

/** Whether the total of a payment of this type, with tax and fee, is at most `AMOUNT_MAX`. */
const hasRoom = ({ amount = 0, tax }: CreateSession, type: PaymentType): boolean =>
  amount + tax + payment_type_rows[type].fee <= AMOUNT_MAX
