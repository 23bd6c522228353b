import { openDetails } from '#shared/crypto/sealed-payment-details.ts'
import { decryptWithSecret, halvesOf } from '#shared/crypto/token-secret.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { PaymentSource } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import {
  type CustomerCard,
  erased,
  type Price,
  refuseUnusable,
  type SecureToken,
  spent,
} from '#shared/domain/secure-token.ts'
import type { Token } from '#shared/domain/token.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { shown } from '#shared/resources/payment-details.ts'
import { type Change, changed, removed, unchanged } from '#shared/store/change.ts'
import { type Card, cards, customers, findCard } from '#shared/store/customers.ts'
import { isId, tokenKey } from '#shared/store/keys.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import { tokens } from '#shared/store/tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** The source that a request names: exactly one of a customer and `payment_details`, which can be the id of a token. */
export interface SourceRequest extends Price {
  readonly customer?: string | null
  readonly payment_details?: PaymentDetails | string
}

/** A source that was found, and the changes that belong in the transaction that uses the source. */
export interface FoundSource extends PaymentSource {
  /** The look-up half of a token's id, or the id of a secure token. Absent for any other source. */
  readonly token?: string
  /** The id of a secure token, whose card has passed 3-D Secure or does not need it. Absent for any other source. */
  readonly verified_by?: string
  /** The customer's stored card. Absent for a source whose payment details come from the request or from a token. */
  readonly card?: Card
  /**
   * Returns the changes that begin a charge for `user`, the id of a payment. They spend a token, and check the version
   * of a customer's card. The details of a token stay stored until the outcome of the charge is known.
   */
  use(user: string): Change[]
  /**
   * Returns the changes that use up the source at once for `user`, the id of a customer or of a secure token. They
   * check the version of a customer's card, and erase the details of a token.
   */
  useUp(user: string): Change[]
}

/**
 * Finds the source of a payment. Refuses with `invalid_token` a token that cannot be used, also a secure token whose
 * customer's card is no longer stored. Refuses with `invalid_currency` a token of another currency, with
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
  if (typeof payment_details === 'string' && isSecureToken(payment_details)) {
    const token = await work.find(secureTokens, payment_details)
    return token && openSecureToken(work, token)
  }
  if (typeof payment_details === 'string') {
    const token = await findToken(work, payment_details)
    return token && openDetails(work, token.lookup, unlocked(token, payment_details))
  }
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
  const token = await work.find(secureTokens, payment_details)
  return token?.customer_card ? sameCard(work, token.customer_card) : undefined
}

/** Reads the records that `findSource` needs, so that they are read together with other records. */
export async function loadSource(work: UnitOfWork, { payment_details, customer }: SourceRequest): Promise<void> {
  if (typeof payment_details === 'string' && isSecureToken(payment_details)) {
    const token = await work.find(secureTokens, payment_details)
    if (token?.customer_card) await findCard(work, token.customer_card.customer)
  } else if (typeof payment_details === 'string') await findToken(work, payment_details)
  else if (customer && isId(customer)) await Promise.all([work.find(customers, customer), findCard(work, customer)])
}

/** Returns the fields of payment details that may be shown, and the days that a cash payment with them may wait. */
export const sourceFrom = (details: PaymentDetails): PaymentSource => ({
  shown: shown(details),
  expiry_days: details.type === 'credit_card' ? null : (details.expiry_days ?? null),
})

async function tokenSource(work: UnitOfWork, id: string, currency: string | null | undefined): Promise<FoundSource> {
  const token = await findToken(work, id)
  if (!token || token.spent_by || Date.parse(token.expires_at) <= work.now())
    throw new Refusal('invalid_token', { param: 'payment_details' })
  unlocked(token, id)
  if (token.currency && currency && token.currency !== currency)
    throw new Refusal('invalid_currency', { param: 'currency', message: `The token was made for ${token.currency}.` })
  const { shown, expiry_days, lookup } = token
  return {
    ...{ shown, expiry_days, token: lookup },
    use: (user) => [changed(tokens, { ...token, spent_by: user })],
    useUp: () => [removed(tokens, token)],
  }
}

async function secureTokenSource(work: UnitOfWork, id: string, price: Price): Promise<FoundSource> {
  const token = await work.find(secureTokens, id)
  refuseUnusable(token, price, work.now())
  const { shown, expiry_days, customer_card } = token
  const card = customer_card ? await sameCard(work, customer_card) : undefined
  if (customer_card && !card)
    throw new Refusal('invalid_token', {
      param: 'payment_details',
      message:
        "The customer's card that the secure token was made from is not stored any more. Make a new secure token.",
    })
  const stored = (user: string) => (card ? stillStored(card, user) : [])
  return {
    ...{ shown, expiry_days, card, token: id, verified_by: id },
    use: (user) => [changed(secureTokens, spent(token, user)), ...stored(user)],
    useUp: (user) => [changed(secureTokens, erased(spent(token, user))), ...stored(user)],
  }
}

/** Returns the customer's card that a secure token was made from, or undefined if the card was removed or replaced. */
async function sameCard(work: UnitOfWork, { customer, version }: CustomerCard): Promise<Card | undefined> {
  const card = await findCard(work, customer)
  return card?.version === version ? card : undefined
}

/**
 * Returns the version check that a card is still stored. If `user` is the customer of the card, the write that replaces
 * the card makes the same check.
 */
const stillStored = (card: Card, user: string): Change[] => (card.customer === user ? [] : [unchanged(cards, card)])

async function openSecureToken(work: UnitOfWork, { id, sealed, customer_card }: SecureToken) {
  if (sealed !== null) return openDetails(work, id, sealed)
  const card = customer_card ? await sameCard(work, customer_card) : undefined
  return card && openDetails(work, card.customer, card.sealed)
}

/**
 * Whether an id is the id of a secure token. Such an id appears in URLs and has no secret half, so it is shorter than
 * the id of a token.
 */
export const isSecureToken = (id: string): boolean => /^tok_[0-9a-z]{26}$/.test(id)

async function findToken(work: UnitOfWork, id: string): Promise<Token | undefined> {
  const halves = halvesOf(id)
  return halves && work.at(tokens, tokenKey(work.merchant, halves.lookup))
}

/** Decrypts the details of a token with the secret half of its id. A wrong half is refused like an unknown token. */
function unlocked(token: Token, id: string): string {
  try {
    return decryptWithSecret(halvesOf(id)!.secret, token.sealed)
  } catch (error) {
    if (error instanceof SealBroken) throw new Refusal('invalid_token', { param: 'payment_details' })
    throw error
  }
}

async function cardOf(work: UnitOfWork, id: string): Promise<Card> {
  const customer = await work.find(customers, id)
  if (!customer) throw new Refusal('invalid_parameter', { param: 'customer', message: 'There is no such customer.' })
  const card = await findCard(work, id)
  if (!card)
    throw new Refusal('unprocessable_entity', { param: 'customer', message: 'The customer has no payment details.' })
  return { ...card, shown: { ...card.shown, email: card.shown.email ?? customer.email } }
}
