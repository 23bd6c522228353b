import * as v from 'valibot'
import type { Token } from '#shared/domain/token.ts'
import { currency, optional } from './fields.ts'
import { payment_details_object } from './payment-details.ts'

/**
 * The parameters that create a token. A token of type `mobile` must name a currency, because mobile payments are priced
 * by currency.
 */
export const CreateToken = v.pipe(
  v.object({ payment_details: payment_details_object, currency: optional(currency) }),
  v.forward(
    v.check(
      (request) => request.payment_details.type !== 'mobile' || request.currency !== undefined,
      'is required for payments of type mobile',
    ),
    ['currency'],
  ),
)
export type CreateToken = v.InferOutput<typeof CreateToken>

/** A token as a merchant sees it. The stored record does not contain the whole id. */
export function token(record: Token, id: string) {
  const { created_at, expires_at, shown } = record
  return { id, resource: 'token' as const, created_at, expires_at, payment_details: shown }
}
