import * as v from 'valibot'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import { type SecureToken, verification_statuses } from '#shared/domain/secure-token.ts'
import { described, resourceName, shown_timestamp, shown_url, shownId } from './answer-fields.ts'
import { exactlyOne, meets } from './conditions.ts'
import { currency, integer, optional, text } from './fields.ts'
import { payment_details } from './payment-details.ts'
import { return_url } from './return-url.ts'
import { viewOf } from './view.ts'

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
export const SecureTokenResource = described(
  v.strictObject({
    id: described(shownId('secure_token'), 'Id of the secure token, which you send as `payment_details`.'),
    resource: resourceName('secure_token'),
    verification_status: described(
      v.picklist(verification_statuses),
      '`NEEDS_VERIFY` until the customer has been at `authentication_url`. `OK`: the customer passed 3-D Secure. `SKIPPED`: the card needs no 3-D Secure. `ERRORED`: the customer failed. Only `OK` and `SKIPPED` can pay.',
    ),
    created_at: described(
      shown_timestamp,
      'Time at which the secure token was created, in UTC. The secure token is valid for 60 minutes.',
    ),
  }),
  'A secure token, which stands for a card whose holder passes 3-D Secure, and can be used once.',
)
export type SecureTokenResource = v.InferOutput<typeof SecureTokenResource>

/** A new secure token, with the URL to which its owner is sent. */
export const CreatedSecureTokenResource = described(
  v.strictObject({
    ...SecureTokenResource.entries,
    authentication_url: described(
      shown_url,
      'Page to which you send the customer for 3-D Secure. Only the response that creates the secure token contains it.',
    ),
  }),
  'A new secure token, with the page to which you send the customer.',
)
export type CreatedSecureTokenResource = v.InferOutput<typeof CreatedSecureTokenResource>

/** Shows a secure token. */
export const secure_token = viewOf(
  SecureTokenResource,
  ({ id, verification_status, created_at }: SecureToken): SecureTokenResource => ({
    id,
    resource: 'secure_token',
    verification_status,
    created_at,
  }),
)

/** Shows a new secure token. */
export const created_secure_token = viewOf(
  CreatedSecureTokenResource,
  ({ record, url }: { readonly record: SecureToken; readonly url: string }): CreatedSecureTokenResource => ({
    ...secure_token(record),
    authentication_url: url,
  }),
)
