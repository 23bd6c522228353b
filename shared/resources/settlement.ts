import * as v from 'valibot'
import type { Settlement } from '#shared/domain/settlement.ts'
import {
  described,
  resourceName,
  shown_amount,
  shown_count,
  shown_currency,
  shown_timestamp,
  shownId,
} from './answer-fields.ts'
import { list_fields } from './list.ts'
import { viewOf } from './view.ts'

/** The filters of a list of settlements. */
export const ListSettlements = v.object(list_fields)
export type ListSettlements = v.InferOutput<typeof ListSettlements>

/** A settlement as a merchant sees it. */
export const SettlementResource = described(
  v.strictObject({
    id: described(shownId('settlement'), 'Id of the settlement.'),
    resource: resourceName('settlement'),
    currency: described(
      shown_currency,
      'Currency of all amounts of the settlement. Each currency has its own settlement.',
    ),
    period_start: described(shown_timestamp, 'Start of the settled week, in UTC: a Monday at midnight in Japan.'),
    period_end: described(shown_timestamp, 'End of the settled week, in UTC: the next Monday at midnight in Japan.'),
    gross: described(shown_amount, "What customers paid, in the currency's smallest unit."),
    fees: described(shown_amount, "Fees that are deducted, in the currency's smallest unit."),
    refunds: described(shown_amount, "What was refunded to customers, in the currency's smallest unit."),
    net: described(
      v.pipe(v.number(), v.integer()),
      "What you get, in the currency's smallest unit: `gross` less `fees` and `refunds`. It can be negative.",
    ),
    payments: described(shown_count, 'Number of captured payments.'),
    created_at: described(shown_timestamp, 'Time at which the settlement was created, in UTC.'),
  }),
  'What you get for the payments of one week in one currency.',
)
export type SettlementResource = v.InferOutput<typeof SettlementResource>

/** Shows a settlement. */
export const settlement = viewOf(SettlementResource, (record: Settlement): SettlementResource => {
  const { id, currency, period_start, period_end, gross, fees, refunds, net, payments, created_at } = record
  return {
    id,
    resource: 'settlement',
    currency,
    period_start,
    period_end,
    gross,
    fees,
    refunds,
    net,
    payments,
    created_at,
  }
})
