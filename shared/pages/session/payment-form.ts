import type { PaymentType } from '#shared/domain/payment-details.ts'
import type { Session } from '#shared/domain/session.ts'

/**
 * The fields that a customer can fill in. Fields have the names of payment details, except `expiry`, which holds the
 * month and the year of a card.
 */
export type FieldName =
  | 'number'
  | 'expiry'
  | 'verification_value'
  | 'name'
  | 'email'
  | 'phone'
  | 'store'
  | 'brand'
  | 'family_name'
  | 'given_name'
  | 'family_name_kana'
  | 'given_name_kana'
  | 'prepaid_number'
  | 'user_no'
  | 'user_password'

/** The input element of one field. */
export interface FieldInput {
  /** `choice`: radio buttons, all of them visible. */
  readonly type: 'text' | 'email' | 'tel' | 'password' | 'choice'
  readonly autocomplete?: string
  /** The keyboard of a phone, if it is not the one of the type. */
  readonly inputmode?: 'numeric'
  readonly maxlength?: number
  readonly placeholder?: string
  /** A secret value is never written back into a page. */
  readonly secret?: boolean
  /** Whether the keyboard of a phone offers capital letters and corrects no spelling. */
  readonly capitals?: true
  /** The field takes half of the line, next to another field. */
  readonly half?: boolean
}

const name_text = { type: 'text', maxlength: 128, half: true } as const

/** The inputs of all fields. */
export const field_inputs: Readonly<Record<FieldName, FieldInput>> = {
  number: {
    type: 'text',
    autocomplete: 'cc-number',
    inputmode: 'numeric',
    // Room for a number that was copied with wide separators.
    maxlength: 40,
    placeholder: '1234 1234 1234 1234',
    secret: true,
  },
  expiry: {
    type: 'text',
    autocomplete: 'cc-exp',
    inputmode: 'numeric',
    maxlength: 16,
    placeholder: 'MM / YY',
    half: true,
  },
  verification_value: {
    type: 'text',
    autocomplete: 'cc-csc',
    inputmode: 'numeric',
    maxlength: 4,
    placeholder: '123',
    secret: true,
    half: true,
  },
  name: { type: 'text', autocomplete: 'cc-name', maxlength: 128, placeholder: 'TARO YAMADA', capitals: true },
  email: { type: 'email', autocomplete: 'email', maxlength: 254 },
  phone: { type: 'tel', autocomplete: 'tel', maxlength: 64 },
  store: { type: 'choice' },
  brand: { type: 'choice' },
  family_name: { ...name_text, autocomplete: 'family-name' },
  given_name: { ...name_text, autocomplete: 'given-name' },
  family_name_kana: { ...name_text, autocomplete: 'off' },
  given_name_kana: { ...name_text, autocomplete: 'off' },
  prepaid_number: { type: 'text', autocomplete: 'off', maxlength: 64, secret: true },
  user_no: { type: 'text', autocomplete: 'off', maxlength: 128 },
  user_password: { type: 'password', autocomplete: 'off', maxlength: 128, secret: true },
}

const prepaid = ['prepaid_number', 'email'] as const
const person = ['family_name', 'given_name', 'family_name_kana', 'given_name_kana', 'phone', 'email'] as const

/** The fields of each type of payment, in the order of the form. */
export const form_fields: Readonly<Record<PaymentType, readonly FieldName[]>> = {
  credit_card: ['number', 'expiry', 'verification_value', 'name', 'email'],
  konbini: ['store', 'email'],
  pay_easy: person,
  bank_transfer: person,
  bit_cash: prepaid,
  net_cash: prepaid,
  paysafe_cash: ['email'],
  mobile: ['email'],
  japan_mobile: ['brand', 'email'],
  retailer_account: ['user_no', 'user_password'],
  web_money: prepaid,
  paypay: [],
  merpay: [],
  rakutenpay: [],
  aupay: [],
  linepay: [],
  alipay: [],
  wechatpay: [],
  paidy: [],
}

/** Returns the forms on a session's page, with the fields of each form. */
export const formsOf = ({ payment_types }: Session): Partial<Record<PaymentType, readonly FieldName[]>> =>
  Object.fromEntries(payment_types.map((type) => [type, form_fields[type]]))

/** Reports whether the customer may leave the field empty. */
export const isOptional = (type: PaymentType, field: FieldName): boolean => type === 'credit_card' && field === 'email'
