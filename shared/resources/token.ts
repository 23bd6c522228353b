import * as v from 'valibot'
import type { Token } from '#shared/domain/token.ts'
import { currency, optional } from './fields.ts'
import { payment_details_object } from './payment-details.ts'

/** A token to be made. Payments by `mobile` are priced by currency, so such a token must name one. */
export const CreateToken = v.pipe(
  v.object({ payment_details: payment_details_object, currency: optional(currency) }),
  v.forward(
    v.check((request) => request.payment_details.type !== 'mobile' || request.currency !== undefined),
    ['currency'],
  ),
)
export type CreateToken = v.InferOutput<typeof CreateToken>

/** A token as a merchant sees it. Its record does not know the whole id. */
export function token(record: Token, id: string) {
  const { created_at, expires_at, shown } = record
  return { id, resource: 'token' as const, created_at, expires_at, payment_details: shown }
}
