import type { Locale } from '#shared/domain/session.ts'
import type { Notice } from './text-types.ts'

/** The texts of receipts, of cash instructions and of the other pages at the end of a payment, in one language. */
export interface LastPageTexts {
  readonly details: string
  readonly paid_to: string
  /** A payment method with the store at which it is used. */
  readonly at_store: (method: string, store: string) => string
  readonly order_number: string
  readonly time: string
  readonly refunded: string
  /** Shown with an authorization that is not captured yet. */
  readonly card_reserved: string
  readonly fully_refunded: Notice
  readonly nothing_charged: string
  readonly nothing_received: string
  readonly card_not_saved: string
  readonly exhausted: Notice
  /** The remaining time replaces `{}`. */
  readonly left: string
  readonly deadline_over: string
  readonly fee_explained: (amount: string, method: string) => string
  readonly copy: string
  /** The accessible name of a button. It contains the visible text. */
  readonly copy_code: (name: string) => string
  /** The name of what was copied replaces `{}`. */
  readonly copied: string
  readonly phone_heading: string
  readonly phone_note: string
  readonly phone_code: string
  readonly calendar: string
  readonly calendar_summary: (amount: string, shop: string) => string
  readonly calendar_note: string
  readonly updates_itself: string
}

/** The texts of the pages at the end of a payment. */
export const last_page_texts: Readonly<Record<Locale, LastPageTexts>> = {
  ja: {
    details: 'お支払い内容',
    paid_to: 'お支払い先',
    at_store: (method, store) => `${method}（${store}）`,
    order_number: '注文番号',
    time: '日時',
    refunded: '返金額',
    card_reserved: 'カードのご利用枠を確保しました。ショップが後日、この金額を請求します。',
    fully_refunded: { title: '返金されました', text: 'ショップがこのお支払いを返金しました。' },
    nothing_charged: '請求は発生していません。',
    nothing_received: 'お支払いは確認されていません。',
    card_not_saved: 'カードは登録されていません。',
    exhausted: {
      title: 'このお支払いは続けられません',
      text: 'お支払いの試行回数が上限に達しました。ショップに戻り、もう一度お手続きください。',
    },
    left: '残り{}',
    deadline_over: '期限が過ぎました',
    fee_explained: (amount, method) => `手数料${amount}は、${method}のご利用にかかる料金です。`,
    copy: 'コピー',
    copy_code: (name) => `コピー：${name}`,
    copied: '{}をコピーしました',
    phone_heading: 'このページをスマートフォンで開く',
    phone_note: 'スマートフォンのカメラで読み取ると、このページが開きます。お支払い用のコードではありません。',
    phone_code: 'このページのQRコード',
    calendar: 'お支払い期限をカレンダーに追加',
    calendar_summary: (amount, shop) => `お支払い期限：${amount}（${shop}）`,
    calendar_note: 'お支払いに必要な番号と手順は、次のページをご覧ください。',
    updates_itself: 'お支払いが確認されると、このページは自動で更新されます。',
  },
  en: {
    details: 'Payment details',
    paid_to: 'Paid to',
    at_store: (method, store) => `${method} (${store})`,
    order_number: 'Order number',
    time: 'Date and time',
    refunded: 'Refunded',
    card_reserved: 'The amount is reserved on your card. The shop will charge it later.',
    fully_refunded: { title: 'Refunded', text: 'The shop has refunded this payment.' },
    nothing_charged: 'Nothing was charged.',
    nothing_received: 'We have received no payment.',
    card_not_saved: 'Your card was not saved.',
    exhausted: {
      title: 'Too many tries',
      text: 'This payment cannot be tried again. Please go back to the shop and start again.',
    },
    left: '{} left',
    deadline_over: 'The deadline has passed',
    fee_explained: (amount, method) => `The fee of ${amount} is charged for this payment method (${method}).`,
    copy: 'Copy',
    copy_code: (name) => `Copy: ${name}`,
    copied: 'Copied: {}',
    phone_heading: 'Open this page on your phone',
    phone_note: 'Scan this code with the camera of your phone to open this page there. You cannot pay with this code.',
    phone_code: 'QR code of this page',
    calendar: 'Add the deadline to your calendar',
    calendar_summary: (amount, shop) => `Payment deadline: ${amount} (${shop})`,
    calendar_note: 'See this page for the numbers and the steps to pay with:',
    updates_itself: 'This page updates itself when your payment arrives.',
  },
  ko: {
    details: '결제 내역',
    paid_to: '상점',
    at_store: (method, store) => `${method} (${store})`,
    order_number: '주문 번호',
    time: '일시',
    refunded: '환불 금액',
    card_reserved: '카드에서 금액이 승인되었습니다. 실제 청구는 상점이 나중에 진행합니다.',
    fully_refunded: { title: '환불되었습니다', text: '상점이 이 결제를 환불했습니다.' },
    nothing_charged: '청구된 금액은 없습니다.',
    nothing_received: '결제가 확인되지 않았습니다.',
    card_not_saved: '카드가 등록되지 않았습니다.',
    exhausted: {
      title: '이 결제를 계속할 수 없습니다',
      text: '결제 시도 횟수가 한도에 도달했습니다. 상점으로 돌아가 다시 진행해 주세요.',
    },
    left: '{} 남음',
    deadline_over: '기한이 지났습니다',
    fee_explained: (amount, method) => `${method} 이용 시 수수료(${amount})가 부과됩니다.`,
    copy: '복사',
    copy_code: (name) => `복사: ${name}`,
    copied: '복사했습니다: {}',
    phone_heading: '휴대폰에서 이 페이지 열기',
    phone_note: '휴대폰 카메라로 코드를 스캔하면 이 페이지가 열립니다. 결제용 코드가 아닙니다.',
    phone_code: '이 페이지의 QR 코드',
    calendar: '결제 기한을 캘린더에 추가',
    calendar_summary: (amount, shop) => `결제 기한: ${amount} (${shop})`,
    calendar_note: '결제에 필요한 번호와 방법은 다음 페이지에서 확인해 주세요.',
    updates_itself: '결제가 확인되면 이 페이지가 자동으로 업데이트됩니다.',
  },
}
