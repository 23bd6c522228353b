import {
  type SimpleIcon,
  siAlipay,
  siAmericanexpress,
  siDinersclub,
  siDiscover,
  siJcb,
  siLine,
  siMastercard,
  siPaysafe,
  siRakuten,
  siVisa,
  siWechat,
} from 'simple-icons'

/** The mark of a brand: an SVG path in a square of 24, and its colour. */
export type BrandMark = Pick<SimpleIcon, 'path' | 'hex'>

/**
 * The marks of payment types and of their brands, by `type` or `type/brand`. The names and marks belong to their
 * owners. A type or brand that is missing here is shown by its name.
 */
export const brand_marks: Readonly<Record<string, BrandMark>> = {
  'credit_card/visa': siVisa,
  'credit_card/master': siMastercard,
  'credit_card/jcb': siJcb,
  'credit_card/american_express': siAmericanexpress,
  'credit_card/diners_club': siDinersclub,
  'credit_card/discover': siDiscover,
  'japan_mobile/rakuten': siRakuten,
  paysafe_cash: siPaysafe,
  rakutenpay: siRakuten,
  linepay: siLine,
  alipay: siAlipay,
  wechatpay: siWechat,
}
