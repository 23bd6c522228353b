import type { Locale } from '#shared/domain/session.ts'

/** The texts of the page on which a customer pays. */
export interface CheckoutTexts {
  /** The disclosure of a long order on a small screen. */
  readonly order_lines: (count: number) => string
  /** The disclosure of the less likely payment methods. */
  readonly more_methods: (count: number) => string
  /** The total of the order, to which the fee of a payment method is added. */
  readonly order_total: string
  /** The total with the fee of a payment method. */
  readonly total_with_fee: string
  /** The button that leads to the site of a payment method. */
  readonly go_to: (name: string, amount: string) => string
  /** The heading while the customer is sent on to 3-D Secure at the bank. */
  readonly to_bank: string
  /** The heading while the customer is sent on to the site of a payment method. */
  readonly to_site: (name: string) => string
  /** The sentence below either heading. */
  readonly going_on: string
  /** The link to the bank or to the site of a payment method. */
  readonly go_on: string
  readonly saved_card: string
  readonly another_card: string
  /** The expiry of a stored card: `12/30`. */
  readonly expires: (date: string) => string
  readonly expired_card: (card: string, date: string) => string
}

/** The texts of the page on which a customer pays, in each language. */
export const checkout_texts: Readonly<Record<Locale, CheckoutTexts>> = {
  ja: {
    order_lines: (count) => `ご注文内容を見る（${count}点）`,
    more_methods: (count) => `その他のお支払い方法（${count}件）`,
    order_total: 'ご注文合計',
    total_with_fee: 'お支払い金額',
    go_to: (name, amount) => `${name}へ進む（${amount}）`,
    to_bank: 'カードの認証に進みます',
    to_site: (name) => `${name}のサイトへ移動します`,
    going_on: '自動で移動しない場合は、下のボタンを押してください。',
    go_on: '進む',
    saved_card: '登録済みのカード',
    another_card: '別のカード',
    expires: (date) => `有効期限 ${date}`,
    expired_card: (card, date) =>
      `登録済みのカード（${card}、有効期限${date}）は期限切れです。別のカードをご利用ください。`,
  },
  en: {
    order_lines: (count) => `Order details (${count === 1 ? '1 item' : `${count} items`})`,
    more_methods: (count) => `${count} more payment methods`,
    order_total: 'Order total',
    total_with_fee: 'You pay',
    go_to: (name, amount) => `Continue to ${name} · ${amount}`,
    to_bank: 'Taking you to your bank',
    to_site: (name) => `Taking you to ${name}`,
    going_on: 'If nothing happens, use the button below.',
    go_on: 'Continue',
    saved_card: 'Saved card',
    another_card: 'Another card',
    expires: (date) => `Expires ${date}`,
    expired_card: (card, date) => `Your saved card (${card}, expiry ${date}) has expired. Please use another card.`,
  },
  ko: {
    order_lines: (count) => `주문 내역 보기 (${count}건)`,
    more_methods: (count) => `다른 결제 수단 ${count}개 더 보기`,
    order_total: '주문 금액',
    total_with_fee: '결제 금액',
    go_to: (name, amount) => `${name} 화면으로 이동 · ${amount}`,
    to_bank: '카드 인증을 진행합니다',
    to_site: (name) => `${name} 화면으로 이동합니다`,
    going_on: '자동으로 이동하지 않으면 아래 버튼을 눌러 주세요.',
    go_on: '계속',
    saved_card: '등록된 카드',
    another_card: '다른 카드',
    expires: (date) => `유효기간 ${date}`,
    expired_card: (card, date) =>
      `등록된 카드(${card})는 유효기간(${date})이 지나 이용할 수 없습니다. 다른 카드를 이용해 주세요.`,
  },
}
