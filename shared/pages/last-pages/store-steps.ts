import type { Locale } from '#shared/domain/session.ts'

type Steps = Readonly<Record<Locale, readonly string[]>>

const loppi: Steps = {
  ja: [
    '店内の端末「Loppi」の画面で「各種番号をお持ちの方」を選びます。',
    '受付番号を入力し、続けて確認番号を入力します。',
    '内容を確認し、印刷された申込券を受け取ります。',
    '30分以内に申込券をレジに出し、代金をお支払いください。',
  ],
  en: [
    'On the Loppi terminal in the store, choose “各種番号をお持ちの方” (I have a number).',
    'Enter the receipt number, then the confirmation code.',
    'Check what is shown and take the printed slip.',
    'Take the slip to the register within 30 minutes and pay.',
  ],
  ko: [
    '매장 내 단말기 ‘Loppi’에서 ‘各種番号をお持ちの方’(번호가 있는 고객)를 선택합니다.',
    '접수번호를 입력한 다음 확인번호를 입력합니다.',
    '내용을 확인하고 출력된 신청권을 받습니다.',
    '30분 이내에 신청권을 계산대에 제시하고 결제합니다.',
  ],
}

/** The convenience stores that take the receipt number alone. */
export const stores_without_confirmation: ReadonlySet<string> = new Set(['seven-eleven', 'daily-yamazaki'])

/** The steps to pay at each convenience store. */
export const store_steps: Readonly<Record<string, Steps>> = {
  'seven-eleven': {
    ja: [
      'レジで「インターネット代金支払い」とお伝えください。',
      '受付番号（払込票番号）を店員に伝えるか、このページをお見せください。',
      '金額を確認し、代金をお支払いのうえ、領収書をお受け取りください。',
    ],
    en: [
      'At the register, say “インターネット代金支払い” (intānetto daikin shiharai: internet payment).',
      'Tell the clerk the receipt number, or show this page.',
      'Check the amount, pay, and take your receipt.',
    ],
    ko: [
      '계산대에서 ‘インターネット代金支払い’(인터넷 대금 결제)라고 말씀해 주세요.',
      '접수번호를 직원에게 알려 주거나 이 페이지를 보여 주세요.',
      '금액을 확인하고 결제한 후 영수증을 받습니다.',
    ],
  },
  lawson: loppi,
  'family-mart': {
    ja: [
      '店内のマルチコピー機で「代金支払い/チャージ」を選びます。',
      '「番号を入力する」を選び、受付番号、続けて確認番号を入力します。',
      '内容を確認し、印刷された申込券を受け取ります。',
      '30分以内に申込券をレジに出し、代金をお支払いください。',
    ],
    en: [
      'On the multi-copy machine in the store, choose “代金支払い/チャージ” (payment/charge).',
      'Choose “番号を入力する” (enter a number), then enter the receipt number and the confirmation code.',
      'Check what is shown and take the printed slip.',
      'Take the slip to the register within 30 minutes and pay.',
    ],
    ko: [
      '매장 내 멀티복사기에서 ‘代金支払い/チャージ’(대금 결제/충전)를 선택합니다.',
      '‘番号を入力する’(번호 입력)를 선택하고 접수번호와 확인번호를 차례로 입력합니다.',
      '내용을 확인하고 출력된 신청권을 받습니다.',
      '30분 이내에 신청권을 계산대에 제시하고 결제합니다.',
    ],
  },
  ministop: loppi,
  'daily-yamazaki': {
    ja: [
      'レジで「オンライン決済」とお伝えください。',
      '受付番号（オンライン決済番号）を、レジの画面に入力するか店員にお伝えください。',
      '金額を確認し、代金をお支払いのうえ、領収書をお受け取りください。',
    ],
    en: [
      'At the register, say “オンライン決済” (onrain kessai: online payment).',
      'Enter the receipt number on the customer screen, or tell it to the clerk.',
      'Check the amount, pay, and take your receipt.',
    ],
    ko: [
      '계산대에서 ‘オンライン決済’(온라인 결제)라고 말씀해 주세요.',
      '접수번호를 계산대 화면에 입력하거나 직원에게 알려 주세요.',
      '금액을 확인하고 결제한 후 영수증을 받습니다.',
    ],
  },
  seicomart: {
    ja: [
      'レジで「インターネット受付の支払い」とお伝えください。',
      'レジの画面に受付番号を入力し、続けて確認番号を入力します。',
      '金額を確認し、代金をお支払いのうえ、領収書をお受け取りください。',
    ],
    en: [
      'At the register, say “インターネット受付の支払い” (intānetto uketsuke no shiharai).',
      'On the customer screen, enter the receipt number, then the confirmation code.',
      'Check the amount, pay, and take your receipt.',
    ],
    ko: [
      '계산대에서 ‘インターネット受付の支払い’(인터넷 접수 결제)라고 말씀해 주세요.',
      '계산대 화면에 접수번호를 입력한 다음 확인번호를 입력합니다.',
      '금액을 확인하고 결제한 후 영수증을 받습니다.',
    ],
  },
}
