import * as v from 'valibot'
import type { Customer, Source } from '#shared/domain/customer.ts'
import type { ShownDetails } from '#shared/domain/payment-details.ts'
import { clearable, currency, email, optional, orNull } from './fields.ts'
import { list_fields } from './list.ts'
import { metadata, new_metadata } from './metadata.ts'
import { payment_details } from './payment-details.ts'

/** The parameters that create a customer. Payment details as text are the id of a token. */
export const CreateCustomer = v.object({
  payment_details,
  currency: orNull(currency),
  email: orNull(email),
  metadata,
})
export type CreateCustomer = v.InferOutput<typeof CreateCustomer>

/**
 * The fields of a customer that a PATCH changes. An undefined field stays unchanged. Payment details that are null are
 * erased.
 */
export const UpdateCustomer = v.object({
  payment_details: clearable(payment_details),
  currency: clearable(currency),
  email: clearable(email),
  metadata: new_metadata,
})
export type UpdateCustomer = v.InferOutput<typeof UpdateCustomer>

/** The filters of a list of customers. */
export const ListCustomers = v.object({ email: optional(email), ...list_fields })
export type ListCustomers = v.InferOutput<typeof ListCustomers>

/** A customer as a merchant sees it. */
export function customer({ id, email, source, metadata, created_at }: Customer) {
  return { id, resource: 'customer' as const, email, source, metadata, created_at }
}

/** Returns the part of stored payment details that is shown in the `source` of a customer. */
export function sourceOf(shown: ShownDetails): Source {
  if (shown.type !== 'credit_card')
    return { type: shown.type, brand: null, last_four_digits: null, month: null, year: null }
  const { type, brand, last_four_digits, month, year } = shown as ShownDetails & Source
  return { type, brand, last_four_digits, month, year }
}
