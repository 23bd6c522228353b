import { methodOrder } from '#shared/domain/method-order.ts'
import { type PaymentType, payment_type_rows } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import type { Locale, Session } from '#shared/domain/session.ts'
import { type FieldName, form_fields } from '#shared/pages/session/payment-form.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { carriers, stores } from '#shared/pages/texts/choices.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { methodOf, typed_card } from './browser-checkout.ts'
import type { Tab } from './browser-tab.ts'

/** What a customer types into each text field of a payment form. It pays successfully. */
export const typed_texts: Readonly<Partial<Record<FieldName, string>>> = {
  ...typed_card,
  phone: '090-1234-5678',
  family_name: '山田',
  given_name: '花子',
  family_name_kana: 'ヤマダ',
  given_name_kana: 'ハナコ',
  prepaid_number: '1234567890123456',
  user_no: '1234',
  user_password: 'secret',
}

/** Matches the label of a field and of no other one. A note that the field is optional may follow. */
export const fieldOf = (name: FieldName, locale: Locale = 'en'): RegExp => {
  const { fields, optional } = texts[locale]
  return new RegExp(`^${RegExp.escape(fields[name].label)}( ?${RegExp.escape(optional)})?$`)
}

/** The text fields of a method's form, in its order. */
export const textFieldsOf = (type: PaymentType): FieldName[] => form_fields[type].filter((name) => name in typed_texts)

/** Opens the form of a method, also behind "more". The page offers every method that its session can take. */
export async function openMethod(tab: Tab, type: PaymentType, session: Session, locale: Locale): Promise<void> {
  const { more } = methodOrder(session, locale)
  if (more.includes(type)) await tab.unfold(checkout_texts[locale].more_methods(more.length))
  await tab.unfold(methodOf(type, locale))
}

/** Makes a choice in a method's form, if the form has one: a store or a mobile carrier. */
export async function chooseIn(tab: Tab, type: PaymentType, locale: Locale = 'en'): Promise<void> {
  if (form_fields[type].includes('store')) await tab.choose(stores.lawson![locale])
  if (form_fields[type].includes('brand')) await tab.choose(carriers.docomo![locale])
}

/** Fills in the open form of a method. `typed` overrides what is typed. */
export async function fillMethod(
  tab: Tab,
  type: PaymentType,
  locale: Locale = 'en',
  typed: Readonly<Partial<Record<FieldName, string>>> = {},
): Promise<void> {
  await chooseIn(tab, type, locale)
  const all = { ...typed_texts, ...typed }
  await tab.fillAll(textFieldsOf(type).map((name) => [fieldOf(name, locale), all[name]!]))
}

/** The button of a method, which states `amount`. */
export function buttonOf(type: PaymentType, amount: string, locale: Locale = 'en'): string {
  return payment_type_rows[type].flow === 'off_site'
    ? checkout_texts[locale].go_to(payment_type_names[type][locale], amount)
    : texts[locale].pay(amount)
}
