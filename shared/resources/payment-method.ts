import { type PaymentType, payment_type_rows } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'

/** A payment method as a merchant sees it. The currency of a type without a fixed currency is JPY. */
export function payment_method(type: PaymentType) {
  const { en, ja, ko } = payment_type_names[type]
  const currency = payment_type_rows[type].currency ?? 'JPY'
  return { type_slug: type, name_en: en, name_ja: ja, name_ko: ko, currency }
}
