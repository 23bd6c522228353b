import type { Delivery } from '#shared/domain/delivery.ts'
import type { ToldDelivery } from '#shared/resources/delivery.ts'
import { deliveryAttempts } from '#shared/store/deliveries.ts'
import { itemsOf } from '#shared/store/items-of.ts'
import { deliveryAttemptKey } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import type { Work } from '#shared/store/work.ts'

/** The most attempts that are shown of one delivery, however often it was asked for anew. */
export const SHOWN_MAX = 100

/** A delivery with the attempts that it knows of, oldest first: one that is recorded meanwhile belongs to what it is then. */
export async function toldDelivery(work: Work, delivery: Delivery): Promise<ToldDelivery> {
  const { id, attempts_made } = delivery
  if (attempts_made === 0) return { delivery, attempts: [] }
  const keyOf = (number: number) => deliveryAttemptKey(work.merchant, id, number)
  const { pk, sk: from } = keyOf(Math.max(0, attempts_made - SHOWN_MAX))
  const items = await itemsOf(work.platform.table, { pk, from, to: keyOf(attempts_made - 1).sk })
  return { delivery, attempts: items.map((item) => recordOf(deliveryAttempts, item)) }
}
