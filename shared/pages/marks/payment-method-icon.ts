import { html } from 'hono/html'
import { type PaymentType, payment_types } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import { brands_of } from '#shared/domain/session-methods.ts'
import type { Html } from '#shared/pages/html-page.ts'
import { carriers, stores } from '#shared/pages/texts/choices.ts'
import { type BrandMark, brand_marks } from './brand-marks.ts'

const WIDTH = 48
const HEIGHT = 30
const GAP = 4
const FONT_SIZE_MAX = 12

/** The names of the brands that have no mark. */
const brand_names: Readonly<Record<string, string>> = {
  unionpay: 'UnionPay',
  ...Object.fromEntries([...Object.entries(stores), ...Object.entries(carriers)].map(([brand, { en }]) => [brand, en])),
}

/**
 * Returns the icon of a payment type as SVG, or undefined for an unknown type. With `brands`, the icon shows the marks
 * of these brands side by side, each once. Unknown brands are ignored.
 */
export function paymentMethodIcon(name: string, brands: readonly string[]): string | undefined {
  const type = payment_types.find((known) => known === name)
  if (!type) return undefined
  const chosen = (brands_of[type] ?? []).filter((brand) => brands.includes(brand))
  const marks = chosen.length > 0 ? chosen.map((brand) => brandMark(type, brand)) : [typeMark(type)]
  const width = marks.length * (WIDTH + GAP) - GAP
  const label = [payment_type_names[type].en, ...chosen].join(' ')
  return String(
    html`<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${HEIGHT}" viewBox="0 0 ${width} ${HEIGHT}" role="img" aria-label="${label}">${marks.map(card)}</svg>`,
  )
}

const typeMark = (type: PaymentType): Html => drawn(brand_marks[type], payment_type_names[type].en)

const brandMark = (type: PaymentType, brand: string): Html =>
  drawn(brand_marks[`${type}/${brand}`], brand_names[brand] ?? brand)

const drawn = (mark: BrandMark | undefined, name: string): Html =>
  mark
    ? html`<path transform="translate(14 5) scale(.8333)" fill="#${mark.hex}" d="${mark.path}"/>`
    : html`<text x="24" y="15" font-family="sans-serif" font-weight="bold" font-size="${fontSize(name)}" fill="#1d2939" text-anchor="middle" dominant-baseline="central">${name}</text>`

/** The size in which a name fits into a card. A letter is about six tenths of its size wide. */
const fontSize = (name: string): number => Math.min(FONT_SIZE_MAX, Math.floor((WIDTH - 6) / (name.length * 0.06)) / 10)

const card = (mark: Html, index: number): Html =>
  html`<g transform="translate(${index * (WIDTH + GAP)})"><rect x=".5" y=".5" width="${WIDTH - 1}" height="${HEIGHT - 1}" rx="4" fill="#fff" stroke="#d0d5dd"/>${mark}</g>`
