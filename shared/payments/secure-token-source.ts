import { openDetails } from '#shared/crypto/sealed-payment-details.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { erased, type Price, refuseUnusable, type SecureToken, spent } from '#shared/domain/secure-token.ts'
import { changed } from '#shared/store/change.ts'
import { type Card, findCard } from '#shared/store/customers.ts'
import { secureTokens } from '#shared/store/secure-tokens.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type FoundSource, stillStored } from './found-source.ts'

/**
 * Whether an id is the id of a secure token. Such an id appears in URLs and has no secret half, so it is shorter than
 * the id of a token.
 */
export const isSecureToken = (id: string): boolean => /^tok_[0-9a-z]{26}$/.test(id)

/**
 * The source of a secure token. Refuses with `invalid_token` a token that cannot be used, or whose customer's card is
 * no longer stored. Refuses with `invalid_parameter` or `invalid_currency` a payment of another price.
 */
export async function secureTokenSource(work: UnitOfWork, id: string, price: Price): Promise<FoundSource> {
  const token = await work.find(secureTokens, id)
  refuseUnusable(token, price, work.now())
  const { shown, expiry_days } = token
  const card = await customerCardOf(work, token)
  if (token.customer_card && !card)
    throw new Refusal('invalid_token', {
      param: 'payment_details',
      message:
        "The customer's card that the secure token was made from is not stored any more. Make a new secure token.",
    })
  const stored = (user: string) => (card ? stillStored(card, user) : [])
  return {
    ...{ shown, expiry_days, card, token: id, verified_by: id },
    ...(token.at_provider && { reference: token.at_provider.reference }),
    use: (user) => [changed(secureTokens, spent(token, user)), ...stored(user)],
    useUp: (user) => [changed(secureTokens, erased(spent(token, user))), ...stored(user)],
  }
}

/**
 * The customer's card that the secure token with this id was made from; undefined if there is no such token, if it was
 * made from other details, or if the card was removed or replaced.
 */
export async function findCustomerCard(work: UnitOfWork, id: string): Promise<Card | undefined> {
  const token = await work.find(secureTokens, id)
  return token && customerCardOf(work, token)
}

/**
 * Opens the payment details of a secure token: its own, or those of the customer's card that it was made from. Returns
 * undefined if they no longer exist.
 */
export async function openSecureToken(work: UnitOfWork, id: string): Promise<PaymentDetails | undefined> {
  const token = await work.find(secureTokens, id)
  if (token?.sealed) return openDetails(work, id, token.sealed)
  const card = token && (await customerCardOf(work, token))
  return card && openDetails(work, card.customer, card.sealed)
}

/** The customer's card that a secure token was made from; undefined if there is none or it was removed or replaced. */
async function customerCardOf(work: UnitOfWork, { customer_card }: SecureToken): Promise<Card | undefined> {
  const card = customer_card ? await findCard(work, customer_card.customer) : undefined
  return card?.version === customer_card?.version ? card : undefined
}
