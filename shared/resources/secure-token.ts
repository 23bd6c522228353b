import * as v from 'valibot'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import type { SecureToken } from '#shared/domain/secure-token.ts'
import { exactlyOne, meets } from './conditions.ts'
import { currency, integer, optional, text } from './fields.ts'
import { payment_details } from './payment-details.ts'
import { return_url } from './return-url.ts'

/**
 * The parameters that create a secure token. Either `customer` or `payment_details` is required. Payment details as
 * text are the id of a token.
 */
export const CreateSecureToken = v.pipe(
  v.object({
    amount: v.pipe(
      integer(0, AMOUNT_MAX),
      v.description(
        'The amount of the payment that is authenticated, in the smallest unit of the currency. The payment must have the same amount.',
      ),
    ),
    currency: v.pipe(
      currency,
      v.description('The currency of the payment, as an ISO 4217 code. The payment must have the same currency.'),
    ),
    return_url: v.pipe(
      return_url,
      v.description(
        'The address to which the customer returns after 3-D Secure: an http or https URL, or a link that opens an app. `secure_token` with the id is added to its query.',
      ),
    ),
    payment_details: v.pipe(
      optional(payment_details),
      v.description('The card to authenticate: an object with a type, or the id of a token. Send this or `customer`.'),
    ),
    customer: v.pipe(
      optional(text(255)),
      v.description('The id of a customer, whose stored card is authenticated. Send this or `payment_details`.'),
    ),
  }),
  v.metadata(meets(exactlyOne('payment_details', 'customer'))),
  v.forward(
    v.partialCheck(
      [['customer'], ['payment_details']],
      ({ customer, payment_details }) => customer !== undefined || payment_details !== undefined,
      'is required, unless customer is given',
    ),
    ['payment_details'],
  ),
  v.forward(
    v.partialCheck(
      [['customer'], ['payment_details']],
      ({ customer, payment_details }) => customer === undefined || payment_details === undefined,
      'must not be given together with customer: send one of the two',
    ),
    ['payment_details'],
  ),
)
export type CreateSecureToken = v.InferOutput<typeof CreateSecureToken>

/** A secure token as a merchant sees it. */
export function secure_token({ id, verification_status, created_at }: SecureToken) {
  return { id, resource: 'secure_token' as const, verification_status, created_at }
}

/** A new secure token, with the URL to which its owner is sent. */
export function created_secure_token(record: SecureToken, authentication_url: string) {
  return { ...secure_token(record), authentication_url }
}
