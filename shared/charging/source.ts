import { Refusal } from '#shared/domain/errors.ts'
import type { PaymentSource } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { type Price, refuseUnusable, type SecureToken } from '#shared/domain/secure-token.ts'
import type { Token } from '#shared/domain/token.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import { shown } from '#shared/resources/payment-details.ts'
import { type Change, changed, removed, unchanged } from '#shared/store/change.ts'
import { type Card, cards, customers } from '#shared/store/customers.ts'
import { cardKey, isId, tokenKey } from '#shared/store/keys.ts'
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
  /** The changes that use the source, for `user`: a token is spent, a customer's card must still be the same. */
  use(user: string): Change[]
}

/**
 * Finds the source of a payment. Refuses with `invalid_token`, with `invalid_currency` for a token of another currency,
 * with `invalid_parameter` for an unknown customer and `unprocessable_entity` for one without payment details.
 */
export async function findSource(work: Work, request: SourceRequest): Promise<FoundSource> {
  const { payment_details, customer } = request
  if (typeof payment_details === 'string')
    return isSecureToken(payment_details)
      ? secureTokenSource(work, payment_details, request)
      : tokenSource(work, payment_details, request.currency)
  if (payment_details) return { ...sourceFrom(payment_details), use: () => [] }
  const card = await cardOf(work, customer!)
  return { ...card, use: () => [unchanged(cards, card)] }
}

/** The details behind a source; undefined when they are gone, as a token's are some time after it was spent. */
export async function openSource(
  work: Work,
  { payment_details, customer }: SourceRequest,
): Promise<PaymentDetails | undefined> {
  if (typeof payment_details === 'string' && isSecureToken(payment_details)) {
    const token = await work.find(secureTokens, payment_details)
    return token?.sealed ? openDetails(work, token.id, token.sealed) : undefined
  }
  if (typeof payment_details === 'string') {
    const token = await findToken(work, payment_details)
    return token && openDetails(work, token.lookup, unlocked(token, payment_details))
  }
  if (payment_details) return payment_details
  const card = await work.at(cards, cardKey(work.merchant, customer!))
  return card && openDetails(work, card.customer, card.sealed)
}

/** Reads what `findSource` will need, so that it can be read together with other things. */
export async function loadSource(work: Work, { payment_details, customer }: SourceRequest): Promise<void> {
  if (typeof payment_details === 'string')
    await (isSecureToken(payment_details) ? work.find(secureTokens, payment_details) : findToken(work, payment_details))
  else if (customer && isId(customer))
    await Promise.all([work.find(customers, customer), work.at(cards, cardKey(work.merchant, customer))])
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
  return { shown, expiry_days, token: lookup, use: (user) => [changed(tokens, { ...token, spent_by: user })] }
}

async function secureTokenSource(work: Work, id: string, price: Price): Promise<FoundSource> {
  const token = await work.find(secureTokens, id)
  refuseUnusable(token, price, work.now())
  const { shown, expiry_days } = token
  return { shown, expiry_days, token: id, verified_by: id, use: (user) => [spent(token, user)] }
}

const spent = (token: SecureToken, user: string): Change => changed(secureTokens, { ...token, spent_by: user })

/**
 * The change that uses up a token for good, for `user`; nothing for details that were no token. A secure token can still
 * be shown, but its card is gone.
 */
export async function spentTokenOf(
  work: Work,
  payment_details: PaymentDetails | string,
  user: string,
): Promise<Change[]> {
  if (typeof payment_details !== 'string') return []
  if (isSecureToken(payment_details)) {
    const token = await work.find(secureTokens, payment_details)
    return token ? [spent({ ...token, sealed: null }, user)] : []
  }
  const token = await findToken(work, payment_details)
  return token ? [removed(tokens, token)] : []
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
  const card = await work.at(cards, cardKey(work.merchant, id))
  if (!card)
    throw new Refusal('unprocessable_entity', { param: 'customer', message: 'The customer has no payment details.' })
  return { ...card, shown: { ...card.shown, email: card.shown.email ?? customer.email } }
}
