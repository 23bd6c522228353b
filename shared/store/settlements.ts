import { createHash } from 'node:crypto'
import { letters, prefixes, timeLetters } from '#shared/domain/ids.ts'
import { type Settlement, type Settling, settleAt } from '#shared/domain/settlement.ts'
import { settlement } from '#shared/resources/settlement.ts'
import { lanesOf, listPk, recordKey, settlingKey } from './keys.ts'
import type { Kind } from './kind.ts'
import { type List, wholeFacet } from './list-keys.ts'

/** Settlements, in one list. */
export const settlements: Kind<Settlement> = {
  name: 'settlement',
  key: (merchant, { id }) => recordKey('settlement', merchant, id),
  entries: (merchant, { id, currency }) => [{ list: settlementList(merchant), id, facet: currency }],
  view: settlement,
}

export const settlementList = (merchant: string): List => ({
  pk: listPk('settlement', merchant),
  prefix: prefixes.settlement,
  counted: true,
  lanes: lanesOf('settlement', merchant),
  facetOf: wholeFacet,
})

/**
 * The id of the settlement of a week in a currency. It is derived from the merchant, the week and the currency, so a
 * repeated settlement gets the same id.
 */
export function settlementId(merchant: string, week: number, currency: string): string {
  const hash = createHash('sha256').update(`${merchant}#${week}#${currency}`).digest()
  return prefixes.settlement + timeLetters(Date.parse(settleAt(week))) + letters(hash.subarray(0, 16))
}

/** The weeks of a merchant that are still to be settled. The record falls due when its first week does. */
export const settlings: Kind<Settling> = {
  name: 'settling',
  key: (merchant) => settlingKey(merchant),
  due: ({ first }) => settleAt(first),
  due_kind: 'settling',
}
