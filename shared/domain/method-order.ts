import { offeredTypes } from './new-session.ts'
import type { PaymentType } from './payment-details.ts'
import type { Locale, Session } from './session.ts'

/** The number of payment types that a page shows before the customer asks for more. */
export const METHODS_SHOWN = 5

/** The payment types of a page, in its order. */
export interface MethodOrder {
  readonly shown: readonly PaymentType[]
  /** The types that the customer sees after asking for more. Never a single one, which would need no more room. */
  readonly more: readonly PaymentType[]
}

type Likely = Readonly<Record<Locale, readonly PaymentType[]>>

const everywhere = (...types: readonly PaymentType[]): Likely => ({ ja: types, en: types, ko: types })

const card_then_cash = everywhere('credit_card', 'paysafe_cash', 'alipay', 'wechatpay')
const card_then_line = everywhere('credit_card', 'linepay', 'alipay', 'wechatpay')
const chinese_wallets = everywhere('alipay', 'wechatpay', 'credit_card')

/** The likely payment types of each currency, by the language of the page. At most `METHODS_SHOWN` each. */
export const likely_types: Readonly<Record<string, Likely>> = {
  JPY: {
    ja: ['credit_card', 'konbini', 'paypay', 'rakutenpay', 'japan_mobile'],
    en: ['credit_card', 'konbini', 'paypay', 'alipay', 'wechatpay'],
    ko: ['credit_card', 'konbini', 'linepay', 'alipay', 'paypay'],
  },
  CNY: chinese_wallets,
  HKD: everywhere('credit_card', 'alipay', 'wechatpay'),
  TWD: card_then_line,
  THB: card_then_line,
  EUR: card_then_cash,
  GBP: card_then_cash,
  CHF: card_then_cash,
}

/** The likely payment types in every other currency. */
export const likely_elsewhere: Likely = {
  ja: ['credit_card', 'paypay', 'linepay', 'rakutenpay', 'alipay'],
  en: ['credit_card', 'alipay', 'wechatpay'],
  ko: ['credit_card', 'linepay', 'alipay', 'wechatpay'],
}

/**
 * Returns the payment types of a session in the order of its page. The order of the merchant's request is kept, and the
 * first ones are shown. If the session offers every type in the order of the API reference, the merchant has stated no
 * preference: the types that are likely in the currency and the language come first and are shown.
 */
export function methodOrder(session: Session, locale: Locale): MethodOrder {
  const { payment_types, currency } = session
  if (!isWithoutPreference(session)) return split(payment_types, METHODS_SHOWN)
  const likely = ((currency && likely_types[currency]) || likely_elsewhere)[locale]
  const first = likely.filter((type) => payment_types.includes(type))
  return split([...first, ...payment_types.filter((type) => !first.includes(type))], first.length)
}

function split(types: readonly PaymentType[], shown: number): MethodOrder {
  if (types.length <= shown + 1) return { shown: types, more: [] }
  return { shown: types.slice(0, shown), more: types.slice(shown) }
}

function isWithoutPreference({ mode, amount, tax, currency, payment_types }: Session): boolean {
  if (mode === 'customer' || amount === null || currency === null) return false
  return String(offeredTypes({ mode, amount, tax, currency })) === String(payment_types)
}
