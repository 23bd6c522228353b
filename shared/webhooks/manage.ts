import { randomInt } from 'node:crypto'
import { sealText } from '#shared/crypto/sealed-text.ts'
import type { Delivery } from '#shared/domain/delivery.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { freeSlots, unreachable, WEBHOOKS_MAX } from '#shared/domain/webhook.ts'
import { absent, type Change, changed } from '#shared/store/change.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { slotsOf, webhookSlots, webhooks } from '#shared/store/webhooks.ts'
import { receiverOf } from './receiver.ts'

/**
 * Takes a free slot for a new webhook. Returns the number of the slot, and the changes that take it in the webhook's
 * own transaction. The transaction fails if another webhook has taken the slot meanwhile, so a merchant never has more
 * webhooks than slots. Refuses with `unprocessable_entity` if no slot is free. The slot is random, so that concurrent
 * creates rarely collide.
 */
export async function takeSlot(
  work: UnitOfWork,
  webhook: string,
): Promise<{ slot: number; changes: readonly Change[] }> {
  const free = freeSlots(await slotsOf(work))
  if (free.length === 0)
    throw new Refusal('unprocessable_entity', {
      message: `A merchant has at most ${WEBHOOKS_MAX} webhooks. Delete one that you no longer need.`,
    })
  const slot = free[randomInt(free.length)]!
  const before = await work.at(webhookSlots, webhookSlots.key(work.merchant, { slot, webhook, version: 0 }))
  const taken = changed(webhookSlots, { slot, webhook, version: before?.version ?? 0 })
  return { slot, changes: before ? [taken, absent(webhooks, before.webhook)] : [taken] }
}

/** Seals the secret of a webhook for its record. */
export const sealSecret = (work: UnitOfWork, webhook: string, secret_token: string): Promise<string> =>
  sealText(work, 'webhook_secret', webhook, secret_token)

/** Refuses with `unprocessable_entity` to repeat a delivery whose webhook is deleted or not active. */
export async function refuseUnreachable(work: UnitOfWork, delivery: Delivery): Promise<void> {
  const receiver = await receiverOf(work, delivery)
  if ('error' in receiver) throw unreachable(receiver.error === 'webhook_deleted' ? 'deleted' : 'not active')
}
