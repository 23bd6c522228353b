import { openDetails } from '#shared/crypto/sealed-payment-details.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { PaymentSource } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Price } from '#shared/domain/secure-token.ts'
import { shown } from '#shared/resources/payment-details.ts'
import { type Change, unchanged } from '#shared/store/change.ts'
import { type Card, cards, customers, findCard } from '#shared/store/customers.ts'
import { isId } from '#shared/store/keys.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type FoundSource, stillStored } from './found-source.ts'
import { findCustomerCard, isSecureToken, openSecureToken, secureTokenSource } from './secure-token-source.ts'
import { findToken, openToken, tokenSource } from './token-source.ts'

/** The source that a request names: exactly one of a customer and `payment_details`, which can be the id of a token. */
export interface SourceRequest extends Price {
  readonly customer?: string | null
  readonly payment_details?: PaymentDetails | string
}

/**
 * Finds the source of a payment. Refuses with `invalid_token` a token that cannot be used. That includes a secure token
 * whose customer's card is no longer stored. Refuses with `invalid_currency` a token of another currency, with
 * `invalid_parameter` a secure token of another amount or an unknown customer, and with `unprocessable_entity` a
 * customer without payment details.
 */
export async function findSource(work: UnitOfWork, request: SourceRequest): Promise<FoundSource> {
  const { payment_details, customer } = request
  if (typeof payment_details === 'string')
    return isSecureToken(payment_details)
      ? secureTokenSource(work, payment_details, request)
      : tokenSource(work, payment_details, request.currency)
  if (payment_details) return { ...sourceFrom(payment_details), use: () => [], useUp: () => [] }
  const card = await cardOf(work, customer!)
  const use = (user: string) => stillStored(card, user)
  return { shown: card.shown, expiry_days: card.expiry_days, card, use, useUp: use }
}

/**
 * Opens the payment details of a source. Returns undefined if the details no longer exist: those of a token are erased
 * when its charge has an outcome, or after the token expires. Throws `SealBroken` for details that cannot be opened.
 */
export async function openSource(
  work: UnitOfWork,
  { payment_details, customer }: SourceRequest,
): Promise<PaymentDetails | undefined> {
  if (typeof payment_details === 'string')
    return isSecureToken(payment_details) ? openSecureToken(work, payment_details) : openToken(work, payment_details)
  if (payment_details) return payment_details
  const card = await findCard(work, customer!)
  return card && openDetails(work, card.customer, card.sealed)
}

/** The source of a charge that may be sent again: its payment details, and what must still hold when it is sent. */
export interface ChargedSource {
  /** The payment details; undefined when they no longer exist. */
  open(): Promise<PaymentDetails | undefined>
  /** The check that a customer's card is still stored. A source without a customer's card has no check. */
  checks(): Promise<readonly Change[]>
}

/** Returns the source of a charge without opening it. */
export const chargedSource = (work: UnitOfWork, request: SourceRequest): ChargedSource => ({
  open: () => openSource(work, request),
  async checks() {
    const card = await storedCard(work, request)
    return card ? [unchanged(cards, card)] : []
  },
})

/** The customer's card behind a source; undefined for any other source, and for a card that no longer exists. */
async function storedCard(work: UnitOfWork, { payment_details, customer }: SourceRequest): Promise<Card | undefined> {
  if (customer) return findCard(work, customer)
  if (typeof payment_details !== 'string' || !isSecureToken(payment_details)) return undefined
  return findCustomerCard(work, payment_details)
}

/** Reads the records that `findSource` needs, so that they are read together with other records. */
export async function loadSource(work: UnitOfWork, { payment_details, customer }: SourceRequest): Promise<void> {
  if (typeof payment_details === 'string')
    await (isSecureToken(payment_details) ? findCustomerCard : findToken)(work, payment_details)
  else if (customer && isId(customer)) await Promise.all([work.find(customers, customer), findCard(work, customer)])
}

/** Returns the fields of payment details that may be shown, and the days that a cash payment with them may wait. */
export const sourceFrom = (details: PaymentDetails): PaymentSource => ({
  shown: shown(details),
  expiry_days: details.type === 'credit_card' ? null : (details.expiry_days ?? null),
})

async function cardOf(work: UnitOfWork, id: string): Promise<Card> {
  const customer = await work.find(customers, id)
  if (!customer) throw unknownCustomer()
  const card = await findCard(work, id)
  if (!card) throw new Refusal('unprocessable_entity', { param: 'customer', message: NO_DETAILS })
  return { ...card, shown: { ...card.shown, email: card.shown.email ?? customer.email } }
}

/** The refusal of a request that names a customer whom the merchant does not have. */
export const unknownCustomer = (): Refusal =>
  new Refusal('invalid_parameter', {
    param: 'customer',
    message:
      'There is no such customer. Send the id of a customer that was created with a key of the same merchant and mode.',
  })

const NO_DETAILS =
  'The customer has no payment details. Store some with PATCH /customers/:id, or send payment_details instead.'
