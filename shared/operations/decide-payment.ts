import { randomBytes } from 'node:crypto'
import { Refusal } from '#shared/domain/errors.ts'
import { idOf } from '#shared/domain/ids.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { endRefundRequest } from '#shared/domain/payment-events.ts'
import type { Decision } from '#shared/domain/payment-states.ts'
import type { Item, Platform, WholeTable } from '#shared/platform/ports.ts'
import { workOn } from '#shared/store/batch.ts'
import { changed } from '#shared/store/change.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { completionOf } from '#shared/store/sessions.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { findItem, type OnProgress } from './find-items.ts'

/** A platform whose table can be read whole. */
export type WholePlatform = Platform & { readonly table: WholeTable }

/** Decides on the payment that an item keeps, whosever it is, and commits what follows. */
export async function decideOnPayment(
  platform: Platform,
  item: Item,
  decision: (payment: Payment, now: number) => Decision,
): Promise<Payment> {
  const work = await workOn(platform, item)
  return startingOver(work, async () => {
    const current = await work.get(payments, merchantAndId(item.pk).id)
    const { next, events } = decision(current, work.now())
    if (next !== current)
      await work.commit([changed(payments, next, events, { owed: true }), ...(await completionOf(work, current, next))])
    return next
  })
}

/** Which refund request an operator has dealt with, and how it ended. */
export interface EndedRequest {
  readonly id: string
  readonly status: 'completed' | 'rejected'
  /** Whose it is: without, all payments are looked through for it. */
  readonly merchant?: string
}

/** The money of a refund request went out, or it is turned down. Refuses with `not_found` a request that no payment has. */
export async function endRequest(
  platform: WholePlatform,
  { id, status, merchant }: EndedRequest,
  onProgress?: OnProgress,
): Promise<Payment> {
  const has = (item: Item) => (item as unknown as Payment).refund_requests.some((request) => request.id === id)
  const item = await findItem(platform.table, { kind: 'payment', merchant }, has, onProgress)
  if (!item) throw new Refusal('not_found', { message: `There is no refund request ${id}.` })
  return decideOnPayment(platform, item, (payment, now) =>
    endRefundRequest(payment, id, status, { refund_id: idOf('refund', now, randomBytes(16)), now }),
  )
}
