import { randomInt } from 'node:crypto'
import { sealText } from '#shared/crypto/sealed-text.ts'
import type { Delivery } from '#shared/domain/delivery.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { freeSlots, WEBHOOKS_MAX, type Webhook, type WebhookSecret } from '#shared/domain/webhook.ts'
import type { RotateSecret } from '#shared/resources/webhook.ts'
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
    throw new Refusal('unprocessable_entity', { message: `A merchant has at most ${WEBHOOKS_MAX} webhooks.` })
  const slot = free[randomInt(free.length)]!
  const before = await work.at(webhookSlots, webhookSlots.key(work.merchant, { slot, webhook, version: 0 }))
  const taken = changed(webhookSlots, { slot, webhook, version: before?.version ?? 0 })
  return { slot, changes: before ? [taken, absent(webhooks, before.webhook)] : [taken] }
}

/** Returns the sealed secret of a webhook that has no previous secret. Returns null if there is no secret. */
export async function sealedSecret(
  work: UnitOfWork,
  webhook: string,
  secret_token: string | null | undefined,
): Promise<WebhookSecret | null> {
  if (!secret_token) return null
  return { sealed: await sealText(work, 'webhook_secret', webhook, secret_token), previous: null }
}

/**
 * Returns the new secret of a webhook. The previous secret stays valid for the grace time, rounded up to a whole
 * second.
 */
export async function rotatedSecret(
  work: UnitOfWork,
  { id, secret: before }: Webhook,
  { secret_token, grace_seconds }: RotateSecret,
): Promise<WebhookSecret> {
  const sealed = await sealText(work, 'webhook_secret', id, secret_token)
  const until = timestamp(work.now() + grace_seconds * 1000 + 999)
  return { sealed, previous: before && grace_seconds > 0 ? { sealed: before.sealed, until } : null }
}

/** Refuses a time in the future with `invalid_parameter`: no delivery can have failed since then. */
export function refuseFuture(since: number, now: number): void {
  if (since > now)
    throw new Refusal('invalid_parameter', { param: 'since', message: 'since must not be in the future.' })
}

/**
 * Returns the webhook with a recovery, which redelivers, oldest first, everything that has failed since a time. A
 * recovery that is still running becomes part of the new one. Refuses with `unprocessable_entity` if the webhook is not
 * active.
 */
export function recovering(webhook: Webhook, since: number, now: number): Webhook {
  if (!webhook.active) throw unreachable('not active')
  const asked = [timestamp(since), ...(webhook.recovery ? [webhook.recovery.since] : [])]
  return { ...webhook, recovery: { since: asked.toSorted()[0]!, next: null, due_at: timestamp(now) } }
}

/** Refuses with `unprocessable_entity` to repeat a delivery whose webhook is deleted or not active. */
export async function refuseUnreachable(work: UnitOfWork, delivery: Delivery): Promise<void> {
  const receiver = await receiverOf(work, delivery)
  if ('error' in receiver) throw unreachable(receiver.error === 'webhook_deleted' ? 'deleted' : 'not active')
}

const unreachable = (state: string) => new Refusal('unprocessable_entity', { message: `The webhook is ${state}.` })
