import { randomUUID } from 'node:crypto'

/** Details of a card of the sandbox; this one is charged whatever the amount. */
export const card = (number = '4111111111111111') => ({
  type: 'credit_card',
  number,
  month: 12,
  // The clock of a local run may have been turned by years.
  year: 2099,
  verification_value: '123',
  name: 'Smoke Test',
})

/** The number of a card that the sandbox declines for want of funds. */
export const POOR_CARD = '4123111111111000'

/** A payment of 1,200 JPY, under a number of its own to be found again by. */
export const payment = () => ({
  amount: 1200,
  currency: 'JPY',
  description: 'Smoke test',
  external_order_num: `smoke-${randomUUID()}`,
})

/** The same as a form spells it. */
export const formOf = (fields: Readonly<Record<string, unknown>>): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): (readonly [string, string])[] =>
      typeof value === 'object' && value !== null
        ? Object.entries(value).map(([inner, one]) => [`${name}[${inner}]`, String(one)])
        : [[name, String(value)]],
    ),
  )
