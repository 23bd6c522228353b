import type { ShownDetails } from '#shared/domain/payment-details.ts'

/** The names of the card brands. */
export const brand_names: Readonly<Record<string, string>> = {
  visa: 'Visa',
  master: 'Mastercard',
  jcb: 'JCB',
  american_express: 'American Express',
  diners_club: 'Diners Club',
  discover: 'Discover',
  unionpay: 'UnionPay',
}

/** Returns a card as its holder knows it: the brand and the last four digits. */
export function cardLine({ brand, last_four_digits }: ShownDetails): string {
  const name = typeof brand === 'string' ? brand_names[brand] : undefined
  return [name, `•••• ${last_four_digits}`].filter(Boolean).join(' ')
}
