import { html, raw } from 'hono/html'
import type { CardBrand, PaymentType } from '#shared/domain/payment-details.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { brand_marks } from './brand-marks.ts'

/*
 * Every mark is drawn on a white card of 48 by 30. Marks with a short free drawing have that of Simple Icons. The other
 * ones are a simple drawing or a name in its own colour, because a page holds at most 45 KB.
 */

/** A name in the middle of the card. The style sheet sets its font, with the size of `l`, `m` or `s`. */
const text = (words: string, fill: string, size: 'l' | 'm' | 's' = 'm'): string =>
  `<text${size === 'm' ? '' : ` class="${size}"`} fill="${fill}">${words}</text>`

/** A drawing in lines, for a payment type that is no brand. */
const lines = (d: string): string => `<path class="lines" d="${d}"/>`

const area = (fill: string, d: string): string => `<path fill="${fill}" d="${d}"/>`

/** The outline of Simple Icons, with one decimal. */
const visa =
  'M9.1 8.3L6 15.8H3.9L2.4 9.8c-.1-.4-.2-.5-.5-.7C1.4 8.9.7 8.6 0 8.5l0-.2h3.3a.9.9 0 0 1 .9.8l.8 4.3 2-5.1zm8 5c0-2-2.7-2.1-2.7-3 0-.3.3-.6.8-.6a3.7 3.7 0 0 1 1.9.3l.3-1.6a5.2 5.2 0 0 0-1.8-.3c-1.9 0-3.3 1-3.3 2.5 0 1.1 1 1.7 1.7 2 .8.4 1 .6 1 .9 0 .5-.6.7-1.2.7-1 0-1.5-.3-2-.5l-.4 1.6c.5.2 1.3.4 2.2.4 2 0 3.4-1 3.4-2.6m5.1 2.4H24l-1.6-7.5h-1.7a.9.9 0 0 0-.8.6l-2.9 6.9h2l.4-1.1h2.5zm-2.2-2.7l1-2.8.6 2.8zm-8.2-4.8l-1.6 7.5H8.3l1.6-7.5z'

const rakuten = brand_marks.rakutenpay!

const bar = (fill: string, x: number): string => area(fill, `M${x} 5h8v16q0 4-4 4h-4V9q0-4 4-4z`)

const slanted = (fill: string, x: number): string => area(fill, `M${x} 5h13l-4 20h-13z`)

const brand_drawings: Readonly<Record<CardBrand, string>> = {
  visa: `<path transform="translate(5.5 -3.5) scale(1.54)" fill="#1a1f71" d="${visa}"/>`,
  master:
    area('#eb001b', 'M19 6a9 9 0 0 0 0 18a9 9 0 0 0 0-18z') +
    area('#f79e1b', 'M29 6a9 9 0 0 0 0 18a9 9 0 0 0 0-18z') +
    area('#ff5f00', 'M24 7.5a9 9 0 0 1 0 15a9 9 0 0 1 0-15z'),
  jcb: `${bar('#0e4c96', 11)}${bar('#bc1f31', 20)}${bar('#00793d', 29)}<text class="s" textLength="22" fill="#fff">JCB</text>`,
  american_express: area('#016fd0', 'M0 0h48v30H0z') + text('AMEX', '#fff', 'l'),
  diners_club: area(
    '#004c97',
    'M24 4a11 11 0 0 0 0 22a11 11 0 0 0 0-22zm-2 4.8v12.4a6.5 6.5 0 0 1 0-12.4zm4 0a6.5 6.5 0 0 1 0 12.4z',
  ),
  discover: area('#f47216', 'M48 20v10H17q22-1 31-10z') + text('DISCOVER', '#1a1f2b', 's'),
  unionpay: slanted('#e21836', 6) + slanted('#00447c', 19) + slanted('#007b84', 32) + text('UnionPay', '#fff', 's'),
}

const phone = lines('M19 5h10v20H19zM23 21.5h2')

const type_drawings: Readonly<Record<PaymentType, string>> = {
  credit_card: lines('M12 7h24v16H12zM12 12h24M16 18h5'),
  konbini: lines('M13 12l2-6h18l2 6zM15 12v12h18V12M21 24v-7h6v7'),
  pay_easy: text('Pay-easy', '#c8102e'),
  bank_transfer: lines('M13 12l11-6 11 6zM16 15v6M24 15v6M32 15v6M13 24h22'),
  bit_cash: text('BitCash', '#0a6eb4'),
  net_cash: text('NETCASH', '#e05a00', 's'),
  paysafe_cash: text('paysafe', '#5a28ff'),
  mobile: phone,
  japan_mobile: phone,
  retailer_account: lines('M24 14a4 4 0 1 0 0-8a4 4 0 0 0 0 8zM15 25c0-5 4-8 9-8s9 3 9 8'),
  web_money: text('WebMoney', '#00559f', 's'),
  paypay: text('PayPay', '#f03', 'l'),
  merpay: text('merpay', '#f02d37'),
  rakutenpay: `<path transform="translate(13 4) scale(.9167)" fill="#${rakuten.hex}" d="${rakuten.path}"/>`,
  aupay: text('au PAY', '#eb5505'),
  linepay: area('#06c755', 'M0 0h48v30H0z') + text('LINE Pay', '#fff'),
  alipay: text('Alipay', '#1677ff', 'l'),
  wechatpay: area(
    '#07c160',
    'M20 5c6 0 10 3 10 7s-4 7-10 7h-3l-4 2 1-3c-2-2-4-3-4-6 0-4 4-7 10-7zM31 13c4 1 7 3 7 6 0 2-1 3-2 4v2l-3-1h-3c-4 0-7-2-7-4 5-1 8-4 8-7z',
  ),
  paidy: text('Paidy', '#d9308a', 'l'),
}

/**
 * Returns the drawings of card brands, which the page does not show where they stand. A page shows one of them with
 * `<use href="#mark-<brand>"/>`.
 */
export const brandSheet = (brands: readonly CardBrand[]): Html =>
  html`<svg hidden>${brands.map((brand) => html`<symbol id="mark-${brand}" viewBox="0 0 48 30">${raw(brand_drawings[brand])}</symbol>`)}</svg>`

/** Returns the mark of a card brand, of which the page has the sheet. Screen readers skip it. */
export const brandMark = (brand: CardBrand): Html => html`<svg aria-hidden="true"><use href="#mark-${brand}"/></svg>`

/** Returns the marks of card brands side by side as one picture, with `label` for screen readers. */
export const brandMarks = (brands: readonly CardBrand[], label: string): Html =>
  html`<span class="marks" role="img" aria-label="${label}">${brands.map((brand) => html`<svg><use href="#mark-${brand}"/></svg>`)}</span>`

/** Returns the mark of a payment type. Screen readers skip it, because the name stands beside it. */
export const typeMark = (type: PaymentType): Html =>
  html`<svg viewBox="0 0 48 30" aria-hidden="true">${raw(type_drawings[type])}</svg>`
