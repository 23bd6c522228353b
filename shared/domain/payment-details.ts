/**
 * Every payment type that a request can name: the types of the API reference in its order, then further types that
 * clients send.
 */
export const payment_types = [
  'credit_card',
  'konbini',
  'pay_easy',
  'bank_transfer',
  'bit_cash',
  'net_cash',
  'paysafe_cash',
  'mobile',
  'japan_mobile',
  'retailer_account',
  'web_money',
  'paypay',
  'merpay',
  'rakutenpay',
  'aupay',
  'linepay',
  'alipay',
  'wechatpay',
  'paidy',
] as const

export type PaymentType = (typeof payment_types)[number]

/** The behaviour of a payment type, with one field for each difference between types. */
export interface PaymentTypeRow {
  /**
   * `card`: charged or authorized. `cash`: reserved until the customer pays. `prepaid`: paid at once. `off_site`: the
   * customer is sent to another site.
   */
  readonly flow: 'card' | 'cash' | 'prepaid' | 'off_site'
  /** Whether the money is returned with `refund`. If false, it is returned with `refund_request`. */
  readonly refundable: boolean
  /** The only currency of the type; null for any currency. */
  readonly currency: string | null
  /** A fee that the customer pays in addition, in the currency's smallest unit. */
  readonly fee: number
}

const cash = (fee: number): PaymentTypeRow => ({ flow: 'cash', refundable: false, currency: 'JPY', fee })
const prepaid: PaymentTypeRow = { flow: 'prepaid', refundable: false, currency: null, fee: 0 }
const off_site: PaymentTypeRow = { flow: 'off_site', refundable: false, currency: null, fee: 0 }
const wallet: PaymentTypeRow = { flow: 'off_site', refundable: true, currency: null, fee: 0 }

/** The behaviour of each payment type. */
export const payment_type_rows: Readonly<Record<PaymentType, PaymentTypeRow>> = {
  credit_card: { flow: 'card', refundable: true, currency: null, fee: 0 },
  konbini: cash(190),
  pay_easy: cash(190),
  bank_transfer: cash(0),
  bit_cash: prepaid,
  net_cash: prepaid,
  paysafe_cash: off_site,
  mobile: off_site,
  japan_mobile: off_site,
  retailer_account: prepaid,
  web_money: prepaid,
  paypay: wallet,
  merpay: wallet,
  rakutenpay: wallet,
  aupay: wallet,
  linepay: wallet,
  alipay: wallet,
  wechatpay: wallet,
  paidy: wallet,
}

const without_email: ReadonlySet<PaymentType> = new Set([
  ...(['credit_card', 'retailer_account', 'paypay', 'merpay', 'rakutenpay'] as const),
  ...(['aupay', 'linepay', 'alipay', 'wechatpay', 'paidy'] as const),
])

/** Whether payment details of this type must have an e-mail address. */
export const needsEmail = (type: PaymentType): boolean => !without_email.has(type)

export const card_brands = ['visa', 'master', 'jcb', 'american_express', 'diners_club', 'discover', 'unionpay'] as const
export type CardBrand = (typeof card_brands)[number]

/**
 * Payment details as the customer gave them, parsed and checked. They contain secrets and are stored only as sealed by
 * the vault.
 */
export type PaymentDetails = CardDetails | OtherDetails

export interface CardDetails {
  readonly type: 'credit_card'
  /** Digits only. */
  readonly number: string
  readonly month: number
  /** Four digits. */
  readonly year: number
  readonly verification_value?: string
  readonly name?: string
  readonly family_name?: string
  readonly given_name?: string
  readonly email?: string
}

export interface OtherDetails {
  readonly type: Exclude<PaymentType, 'credit_card'>
  readonly email?: string
  readonly phone?: string
  readonly expiry_days?: number
  readonly store?: string
  readonly family_name?: string
  readonly given_name?: string
  readonly family_name_kana?: string
  readonly given_name_kana?: string
  readonly prepaid_number?: string
  readonly brand?: string
  readonly user_no?: string
  readonly user_password?: string
}

/**
 * The part of payment details that can be shown: the fields of the response for the type, in their order, without
 * secrets.
 */
export interface ShownDetails {
  readonly type: PaymentType
  readonly email: string | null
  readonly [field: string]: string | number | null
}

/** Returns payment details as a customer stores them. The verification value of a card must not be stored. */
export function withoutVerificationValue(details: PaymentDetails): PaymentDetails {
  if (details.type !== 'credit_card') return details
  const { verification_value, ...rest } = details
  return rest
}
