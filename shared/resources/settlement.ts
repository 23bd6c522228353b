import * as v from 'valibot'
import type { Settlement } from '#shared/domain/settlement.ts'
import { list_fields } from './list.ts'

/** The filters of a list of settlements. */
export const ListSettlements = v.object(list_fields)
export type ListSettlements = v.InferOutput<typeof ListSettlements>

/** A settlement as a merchant sees it. */
export function settlement(record: Settlement) {
  const { id, currency, period_start, period_end, gross, fees, refunds, net, payments, created_at } = record
  return {
    id,
    resource: 'settlement' as const,
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
}
