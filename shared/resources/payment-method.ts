import * as v from 'valibot'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import { described, shown_currency } from './answer-fields.ts'
import { viewOf } from './view.ts'

/** A payment method as a merchant sees it. */
export const PaymentMethodResource = described(
  v.strictObject({
    type_slug: described(v.picklist(payment_types), 'Payment type, as `type` of `payment_details` names it.'),
    name_en: described(v.string(), 'Name of the payment method for customers, in English.'),
    name_ja: described(v.string(), 'Name of the payment method for customers, in Japanese.'),
    name_ko: described(v.string(), 'Name of the payment method for customers, in Korean.'),
    currency: described(
      shown_currency,
      'ISO 4217 code of the only currency of the payment method. JPY for a payment method that takes any currency.',
    ),
  }),
  'A payment method with its names.',
)
export type PaymentMethodResource = v.InferOutput<typeof PaymentMethodResource>

/** Shows a payment method. */
export const payment_method = viewOf(PaymentMethodResource, (type: PaymentType): PaymentMethodResource => {
  const { en, ja, ko } = payment_type_names[type]
  const currency = payment_type_rows[type].currency ?? 'JPY'
  return { type_slug: type, name_en: en, name_ja: ja, name_ko: ko, currency }
})

/** Shows payment methods as a bare array, without the envelope of a list. */
export const payment_methods = viewOf(
  described(v.array(PaymentMethodResource), 'The payment methods, as a bare array.'),
  (types: readonly PaymentType[]): PaymentMethodResource[] => types.map((type) => payment_method(type)),
)
