import * as v from 'valibot'
import { payment_types } from '#shared/domain/payment-details.ts'
import type { Token } from '#shared/domain/token.ts'
import { described, resourceName, shown_timestamp, shownId } from './answer-fields.ts'
import { anyOf, meets, requiring } from './conditions.ts'
import { currency, optional } from './fields.ts'
import { payment_details_object } from './payment-details.ts'
import { TokenDetailsResource } from './shown-payment-details.ts'
import { viewOf } from './view.ts'

const other_types = { enum: payment_types.filter((type) => type !== 'mobile') }

/** The condition that the type of the payment details is not `mobile`. */
const not_mobile = { properties: { payment_details: { properties: { type: other_types } } } }

/**
 * The parameters that create a token. A token of type `mobile` must name a currency, because mobile payments are priced
 * by currency.
 */
export const CreateToken = v.pipe(
  v.object({
    payment_details: v.pipe(payment_details_object, v.description('The payment details that the token stands for.')),
    currency: v.pipe(
      optional(currency),
      v.description(
        'The currency of the payment that the token is for. A payment in another currency is refused. Type `mobile` requires it.',
      ),
    ),
  }),
  v.metadata(meets(anyOf(not_mobile, requiring('currency')))),
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
