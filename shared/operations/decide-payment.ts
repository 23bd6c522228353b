import { randomBytes } from 'node:crypto'
import { Refusal } from '#shared/domain/errors.ts'
import { idOf } from '#shared/domain/ids.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { endRefundRequest } from '#shared/domain/payment-decisions.ts'
import type { Decision } from '#shared/domain/payment-states.ts'
import type { Item, Platform, WholePlatform } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { changed } from '#shared/store/change.ts'
import { findItem, type OnProgress } from '#shared/store/find-items.ts'
import { merchantAndId } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { payments } from '#shared/store/payments.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { completionOf } from '#shared/store/sessions.ts'

/** Applies a decision to the payment that is stored in `item`, for any merchant, and commits the result. */
export async function decideOnPayment(
  platform: Platform,
  item: Item,
  decision: (payment: Payment, now: number) => Decision,
): Promise<Payment> {
  const work = await workOn(platform, item)
  return retryOnConflict(work, async () => {
    const current = await work.get(payments, merchantAndId(item.pk).id)
    const { next, events } = decision(current, work.now())
    if (next !== current)
      await work.commit([
        changed(payments, next, events, { must_record: true }),
        ...(await completionOf(work, current, next)),
      ])
    return next
  })
}

/** A refund request that an operator has completed or rejected. */
export interface EndedRequest {
  readonly id: string
  readonly status: 'completed' | 'rejected'
  /** The merchant of the refund request. Without a merchant, the payments of all merchants are searched. */
  readonly merchant?: string
}

/**
 * Completes or rejects a refund request, after the money was paid out or the request was turned down. Refuses with
 * `not_found` if no payment has the refund request.
 */
export async function endRequest(
  platform: WholePlatform,
  { id, status, merchant }: EndedRequest,
  onProgress?: OnProgress,
): Promise<Payment> {
  const has = (item: Item) => recordOf(payments, item).refund_requests.some((request) => request.id === id)
  const item = await findItem(platform.table, { kind: 'payment', merchant }, has, onProgress)
  if (!item) throw new Refusal('not_found', { message: `There is no refund request ${id}.` })
  return decideOnPayment(platform, item, (payment, now) =>
    endRefundRequest(payment, id, status, { refund_id: idOf('refund', now, randomBytes(16)), now }),
  )
}
