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
import type { Work } from '#shared/store/work.ts'
import { openDetails } from './sealed-details.ts'
import { halvesOf, unlockWith } from './token-id.ts'

/** What a payment can be made from: exactly one of a customer, and payment details or a token for them. */
export interface SourceRequest extends Price {
  readonly customer?: string | null
  readonly payment_details?: PaymentDetails | string
}

/** A source that was found, and what must hold, or become of it, in the transaction that uses it. */
export interface FoundSource extends PaymentSource {
  /** The look-up half of the token, where the source is one; of a secure token its id. */
  readonly token?: string
  /** The secure token whose owner has passed 3-D Secure. */
  readonly verified_by?: string
  /** The stored card of a customer, where that is what the source pays with. */
  readonly card?: Card
  /**
   * The changes that begin a charge for `user`, a payment: a token is spent, and a customer's card must still be the same.
   * The details of a token are kept until the outcome is known.
   */
  use(user: string): Change[]
  /** The changes that use the source up at once, for `user`: the same, and the details of a token are erased. */
  useUp(user: string): Change[]
}

/**
 * Finds the source of a payment. Refuses with `invalid_token`, also for a secure token whose customer's card is not stored
 * any more, with `invalid_currency` for a token of another currency, with `invalid_parameter` for an unknown customer and
 * `unprocessable_entity` for one without payment details.
 */
export async function findSource(work: Work, request: SourceRequest): Promise<FoundSource> {
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

/** The details behind a source; undefined when they are gone, as a token's are some time after it was spent. */
export async function openSource(
  work: Work,
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

/** Reads what `findSource` will need, so that it can be read together with other things. */
export async function loadSource(work: Work, { payment_details, customer }: SourceRequest): Promise<void> {
  if (typeof payment_details === 'string' && isSecureToken(payment_details)) {
    const token = await work.find(secureTokens, payment_details)
    if (token?.customer_card) await findCard(work, token.customer_card.customer)
  } else if (typeof payment_details === 'string') await findToken(work, payment_details)
  else if (customer && isId(customer)) await Promise.all([work.find(customers, customer), findCard(work, customer)])
}

/** What may be shown of details, and how long they let a payment wait. */
export const sourceFrom = (details: PaymentDetails): PaymentSource => ({
  shown: shown(details),
  expiry_days: details.type === 'credit_card' ? null : (details.expiry_days ?? null),
})

async function tokenSource(work: Work, id: string, currency: string | null | undefined): Promise<FoundSource> {
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

async function secureTokenSource(work: Work, id: string, price: Price): Promise<FoundSource> {
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

/** The customer's card that a secure token was made from; undefined when it was removed or replaced. */
async function sameCard(work: Work, { customer, version }: CustomerCard): Promise<Card | undefined> {
  const card = await findCard(work, customer)
  return card?.version === version ? card : undefined
}

/** The check that a card is still stored. Where `user` is its customer, the write that replaces it checks the same. */
const stillStored = (card: Card, user: string): Change[] => (card.customer === user ? [] : [unchanged(cards, card)])

async function openSecureToken(work: Work, { id, sealed, customer_card }: SecureToken) {
  if (sealed !== null) return openDetails(work, id, sealed)
  const card = customer_card ? await sameCard(work, customer_card) : undefined
  return card && openDetails(work, card.customer, card.sealed)
}

/** The id of a secure token stands in URLs and is no key to its card, so it is shorter than a token's. */
export const isSecureToken = (id: string): boolean => /^tok_[0-9a-z]{26}$/.test(id)

async function findToken(work: Work, id: string): Promise<Token | undefined> {
  const halves = halvesOf(id)
  return halves && work.at(tokens, tokenKey(work.merchant, halves.lookup))
}

/** Whoever knows only the look-up half of a token's id gets the same answer as for an unknown token. */
function unlocked(token: Token, id: string): string {
  try {
    return unlockWith(halvesOf(id)!.secret, token.sealed)
  } catch (error) {
    if (error instanceof SealBroken) throw new Refusal('invalid_token', { param: 'payment_details' })
    throw error
  }
}

async function cardOf(work: Work, id: string): Promise<Card> {
  const customer = await work.find(customers, id)
  if (!customer) throw new Refusal('invalid_parameter', { param: 'customer', message: 'There is no such customer.' })
  const card = await findCard(work, id)
  if (!card)
    throw new Refusal('unprocessable_entity', { param: 'customer', message: 'The customer has no payment details.' })
  return { ...card, shown: { ...card.shown, email: card.shown.email ?? customer.email } }
}
