import type { Delivery } from '#shared/domain/delivery.ts'
import type { DeliveryWithAttempts } from '#shared/resources/delivery.ts'
import { deliveryAttempts } from '#shared/store/deliveries.ts'
import { itemsOf } from '#shared/store/items-of.ts'
import { deliveryAttemptKey } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** The most attempts that the API shows of one delivery. A delivery can be repeated any number of times. */
export const SHOWN_MAX = 100

/**
 * Returns a delivery with its last `SHOWN_MAX` attempts, oldest first. Attempts beyond its `attempts_made` are left
 * out, because they belong to a later version of the delivery.
 */
export async function deliveryWithAttempts(work: UnitOfWork, delivery: Delivery): Promise<DeliveryWithAttempts> {
  const { id, attempts_made } = delivery
  if (attempts_made === 0) return { delivery, attempts: [] }
  const keyOf = (number: number) => deliveryAttemptKey(work.merchant, id, number)
  const { pk, sk: from } = keyOf(Math.max(0, attempts_made - SHOWN_MAX))
  const items = await itemsOf(work.platform.table, { pk, from, to: keyOf(attempts_made - 1).sk })
  return { delivery, attempts: items.map((item) => recordOf(deliveryAttempts, item)) }
}
