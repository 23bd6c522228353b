import * as v from 'valibot'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import type { SecureToken } from '#shared/domain/secure-token.ts'
import { currency, integer, optional, text } from './fields.ts'
import { payment_details } from './payment-details.ts'
import { return_url } from './return-url.ts'

/**
 * The parameters that create a secure token. Either `customer` or `payment_details` is required. Payment details as
 * text are the id of a token.
 */
export const CreateSecureToken = v.pipe(
  v.object({
    amount: integer(0, AMOUNT_MAX),
    currency,
    return_url,
    payment_details: optional(payment_details),
    customer: optional(text(255)),
  }),
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
