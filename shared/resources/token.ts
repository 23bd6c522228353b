import * as v from 'valibot'
import type { Token } from '#shared/domain/token.ts'
import { described, resourceName, shown_timestamp, shownId } from './answer-fields.ts'
import { currency, optional } from './fields.ts'
import { payment_details_object } from './payment-details.ts'
import { TokenDetailsResource } from './shown-payment-details.ts'
import { viewOf } from './view.ts'

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

/** A token as a merchant sees it. */
export const TokenResource = described(
  v.strictObject({
    id: described(
      shownId('token'),
      'Id of the token, which you send as `payment_details`. It is shown only once, in this response.',
    ),
    resource: resourceName('token'),
    created_at: described(shown_timestamp, 'Time at which the token was created, in UTC.'),
    expires_at: described(shown_timestamp, 'Time in UTC at which the token expires, 60 minutes after its creation.'),
    payment_details: TokenDetailsResource,
  }),
  'A new token, which stands for payment details and can be used once.',
)
export type TokenResource = v.InferOutput<typeof TokenResource>

/** Shows a new token. The stored record does not contain the whole id. */
export const token = viewOf(
  TokenResource,
  ({ record, id }: { readonly record: Token; readonly id: string }): TokenResource => {
    const { created_at, expires_at, shown } = record
    return { id, resource: 'token', created_at, expires_at, payment_details: shown as TokenDetailsResource }
  },
)
