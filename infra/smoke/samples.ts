import { randomUUID } from 'node:crypto'

/** The details of a sandbox card. The default card is charged for any amount. */
export const card = (number = '4111111111111111') => ({
  type: 'credit_card',
  number,
  month: 12,
  // The clock of a local run can be years ahead.
  year: 2099,
  verification_value: '123',
  name: 'Smoke Test',
})

/** The number of a sandbox card that is declined with `insufficient_funds`. */
export const POOR_CARD = '4123111111111000'

/** A payment of 1,200 JPY with a unique `external_order_num`, by which a check can find it. */
export const payment = () => ({
  amount: 1200,
  currency: 'JPY',
  description: 'Smoke test',
  external_order_num: `smoke-${randomUUID()}`,
})

/** Encodes fields as a form. The fields of a nested object become `name[field]`. */
export const formOf = (fields: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): (readonly [string, string])[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, one]) => [`${name}[${inner}]`, String(one)])
        : [[name, String(value)]],
    ),
  )
