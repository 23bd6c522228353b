import * as v from 'valibot'
import type { Customer, Source } from '#shared/domain/customer.ts'
import { card_brands, payment_types, type ShownDetails } from '#shared/domain/payment-details.ts'
import { described, resourceName, shown_count, shown_metadata, shown_timestamp, shownId } from './answer-fields.ts'
import { clearable, currency, email, optional, orNull } from './fields.ts'
import { list_fields } from './list.ts'
import { metadata, new_metadata } from './metadata.ts'
import { payment_details } from './payment-details.ts'
import { viewOf } from './view.ts'

/** The parameters that create a customer. Payment details as text are the id of a token. */
export const CreateCustomer = v.object({
  payment_details: v.pipe(
    payment_details,
    v.description(
      'The payment details to store: an object with a type, or the id of a token or of a verified secure token.',
    ),
  ),
  currency: v.pipe(
    orNull(currency),
    v.description(
      'The currency that the customer usually pays in. It is shown with the subscriptions of the customer.',
    ),
  ),
  email: v.pipe(
    orNull(email),
    v.description("The customer's e-mail address. Without it, the address of the payment details is used."),
  ),
  metadata,
})
export type CreateCustomer = v.InferOutput<typeof CreateCustomer>

/**
 * The fields of a customer that a PATCH changes. An undefined field stays unchanged. Payment details that are null are
 * erased.
 */
export const UpdateCustomer = v.object({
  payment_details: v.pipe(
    clearable(payment_details),
    v.description(
      'The payment details that replace the stored ones: an object with a type, or the id of a token or of a verified secure token. Null erases the stored ones.',
    ),
  ),
  currency: v.pipe(
    clearable(currency),
    v.description('The new currency that the customer usually pays in. Null removes it.'),
  ),
  email: v.pipe(clearable(email), v.description("The customer's new e-mail address. Null removes it.")),
  metadata: new_metadata,
})
export type UpdateCustomer = v.InferOutput<typeof UpdateCustomer>

/** The filters of a list of customers. */
export const ListCustomers = v.object({
  email: v.pipe(optional(email), v.description('Lists only customers with this e-mail address.')),
  ...list_fields,
})
export type ListCustomers = v.InferOutput<typeof ListCustomers>

/** The part of stored payment details that is shown in the `source` of a customer. */
const CustomerSourceResource = v.strictObject({
  type: described(v.picklist(payment_types), 'Payment type of the stored payment details.'),
  brand: described(v.nullable(v.picklist(card_brands)), 'Brand of the card. Null for other types and unknown brands.'),
  last_four_digits: described(v.nullable(v.string()), 'The last four digits of the card number. Null for other types.'),
  month: described(
    v.nullable(v.pipe(shown_count, v.minValue(1), v.maxValue(12))),
    'Month in which the card expires, from 1 to 12. Null for other types.',
  ),
  year: described(v.nullable(shown_count), 'Year in which the card expires, with four digits. Null for other types.'),
})

/** A customer as a merchant sees it. */
export const CustomerResource = described(
  v.strictObject({
    id: described(shownId('customer'), 'Id of the customer. Payments and subscriptions name it as `customer`.'),
    resource: resourceName('customer'),
    email: described(v.nullable(v.string()), "The customer's e-mail address, or null if none was given."),
    source: described(
      v.nullable(CustomerSourceResource),
      'The stored payment details, as far as they can be shown. Null if none are stored.',
    ),
    metadata: shown_metadata,
    created_at: described(shown_timestamp, 'Time at which the customer was created, in UTC.'),
  }),
  'A customer, whose payment details you can store and charge again.',
)
export type CustomerResource = v.InferOutput<typeof CustomerResource>

/** Shows a customer. */
export const customer = viewOf(
  CustomerResource,
  ({ id, email, source, metadata, created_at }: Customer): CustomerResource => ({
    id,
    resource: 'customer',
    email,
    source,
    metadata,
    created_at,
  }),
)

/** Returns the part of stored payment details that is shown in the `source` of a customer. */
export function sourceOf(shown: ShownDetails): Source {
  if (shown.type !== 'credit_card')
    return { type: shown.type, brand: null, last_four_digits: null, month: null, year: null }
  const { type, brand, last_four_digits, month, year } = shown as ShownDetails & Source
  return { type, brand, last_four_digits, month, year }
}
