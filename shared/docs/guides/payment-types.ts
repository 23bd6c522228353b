import { html } from 'hono/html'
import {
  type PaymentType,
  type PaymentTypeRow,
  payment_type_rows,
  payment_types,
} from '#shared/domain/payment-details.ts'
import type { Html } from '../guide.ts'

/** The payment types in groups whose payments have the same course. Every type is in one group. */
export const payment_type_groups = {
  card: typesWhere(({ flow }) => flow === 'card'),
  cash: typesWhere(({ flow }) => flow === 'cash'),
  wallet: typesWhere(({ flow, refundable }) => flow === 'off_site' && refundable),
  other_off_site: typesWhere(({ flow, refundable }) => flow === 'off_site' && !refundable),
  prepaid: typesWhere(({ flow }) => flow === 'prepaid'),
} as const

function typesWhere(holds: (row: PaymentTypeRow) => boolean): readonly PaymentType[] {
  return payment_types.filter((type) => holds(payment_type_rows[type]))
}

/** Shows names as code. Commas stand between them, or another separator in a language that has its own. */
export const codes = (names: readonly string[], separator = ', '): Html =>
  html`${names.map((name, index) => html`${index > 0 ? separator : ''}<code>${name}</code>`)}`
