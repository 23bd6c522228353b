import * as v from 'valibot'
import type { Customer, Source } from '#shared/domain/customer.ts'
import type { ShownDetails } from '#shared/domain/payment-details.ts'
import { clearable, currency, email, optional, orNull } from './fields.ts'
import { list_fields } from './list.ts'
import { metadata, new_metadata } from './metadata.ts'
import { payment_details } from './payment-details.ts'

/** A customer to be made. Payment details as text are a token's id. */
export const CreateCustomer = v.object({
  payment_details,
  currency: orNull(currency),
  email: orNull(email),
  metadata,
})
export type CreateCustomer = v.InferOutput<typeof CreateCustomer>

/** What a PATCH changes of a customer; undefined stays as it is. Payment details that are null are taken away. */
export const UpdateCustomer = v.object({
  payment_details: clearable(payment_details),
  currency: clearable(currency),
  email: clearable(email),
  metadata: new_metadata,
})
export type UpdateCustomer = v.InferOutput<typeof UpdateCustomer>

/** Which customers to list. */
export const ListCustomers = v.object({ email: optional(email), ...list_fields })
export type ListCustomers = v.InferOutput<typeof ListCustomers>

/** A customer as a merchant sees it. */
export function customer({ id, email, source, metadata, created_at }: Customer) {
  return { id, resource: 'customer' as const, email, source, metadata, created_at }
}

/** What a customer shows of the payment details that are stored. */
export function sourceOf(shown: ShownDetails): Source {
  if (shown.type !== 'credit_card')
    return { type: shown.type, brand: null, last_four_digits: null, month: null, year: null }
  const { type, brand, last_four_digits, month, year } = shown as ShownDetails & Source
  return { type, brand, last_four_digits, month, year }
}
