import type { PaymentType } from './payment-details.ts'
import type { Locale } from './session.ts'

/** The name of each payment type for customers, in each language. */
export const payment_type_names: Readonly<Record<PaymentType, Readonly<Record<Locale, string>>>> = {
  credit_card: { ja: 'クレジットカード', en: 'Credit card', ko: '신용카드' },
  konbini: { ja: 'コンビニ払い', en: 'Convenience store', ko: '편의점 결제' },
  pay_easy: { ja: 'ペイジー', en: 'Pay-easy', ko: 'Pay-easy' },
  bank_transfer: { ja: '銀行振込', en: 'Bank transfer', ko: '은행 송금' },
  bit_cash: { ja: 'ビットキャッシュ', en: 'BitCash', ko: 'BitCash' },
  net_cash: { ja: 'ネットキャッシュ', en: 'NET CASH', ko: 'NET CASH' },
  paysafe_cash: { ja: 'ペイセーフキャッシュ', en: 'Paysafecash', ko: 'Paysafecash' },
  mobile: { ja: 'モバイル決済', en: 'Mobile payment', ko: '휴대폰 결제' },
  japan_mobile: { ja: 'キャリア決済', en: 'Mobile carrier billing', ko: '일본 통신사 결제' },
  retailer_account: { ja: '会員アカウント', en: 'Retailer account', ko: '판매처 계정' },
  web_money: { ja: 'WebMoney', en: 'WebMoney', ko: 'WebMoney' },
  paypay: { ja: 'PayPay', en: 'PayPay', ko: 'PayPay' },
  merpay: { ja: 'メルペイ', en: 'Merpay', ko: 'Merpay' },
  rakutenpay: { ja: '楽天ペイ', en: 'Rakuten Pay', ko: '라쿠텐페이' },
  aupay: { ja: 'au PAY', en: 'au PAY', ko: 'au PAY' },
  linepay: { ja: 'LINE Pay', en: 'LINE Pay', ko: 'LINE Pay' },
  alipay: { ja: 'アリペイ', en: 'Alipay', ko: '알리페이' },
  wechatpay: { ja: 'WeChat Pay', en: 'WeChat Pay', ko: '위챗페이' },
  paidy: { ja: 'あと払い（ペイディ）', en: 'Paidy', ko: 'Paidy' },
}
