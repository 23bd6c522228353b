import { randomInt } from 'node:crypto'
import type { Delivery } from '#shared/domain/delivery.ts'
import { Refusal } from '#shared/domain/errors.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { freeSlots, WEBHOOKS_MAX, type Webhook, type WebhookSecret } from '#shared/domain/webhook.ts'
import type { RotateSecret } from '#shared/resources/webhook.ts'
import { absent, type Change, changed } from '#shared/store/change.ts'
import { sealText } from '#shared/store/sealed.ts'
import { slotsOf, webhookSlots, webhooks } from '#shared/store/webhooks.ts'
import type { Work } from '#shared/store/work.ts'
import { receiverOf } from './receiver.ts'

/**
 * Takes a free slot for a new webhook: its number, and the changes that take it in the webhook's own transaction. The
 * transaction fails if another webhook took the slot meanwhile, so that a merchant never has more webhooks than slots.
 * Refuses with `unprocessable_entity` where no slot is free. Creates choose at random, so that few of them collide.
 */
export async function takeSlot(work: Work, webhook: string): Promise<{ slot: number; changes: readonly Change[] }> {
  const free = freeSlots(await slotsOf(work))
  if (free.length === 0)
    throw new Refusal('unprocessable_entity', { message: `A merchant has at most ${WEBHOOKS_MAX} webhooks.` })
  const slot = free[randomInt(free.length)]!
  const before = await work.at(webhookSlots, webhookSlots.key(work.merchant, { slot, webhook, version: 0 }))
  const taken = changed(webhookSlots, { slot, webhook, version: before?.version ?? 0 })
  return { slot, changes: before ? [taken, absent(webhooks, before.webhook)] : [taken] }
}

/** A webhook's first or only secret; null for none. */
export async function sealedSecret(
  work: Work,
  webhook: string,
  secret_token: string | null | undefined,
): Promise<WebhookSecret | null> {
  if (!secret_token) return null
  return { sealed: await sealText(work, 'webhook_secret', webhook, secret_token), previous: null }
}

/** A new secret, beside which the one before stays valid for the grace time: never less, and at most a second more. */
export async function rotatedSecret(
  work: Work,
  { id, secret: before }: Webhook,
  { secret_token, grace_seconds }: RotateSecret,
): Promise<WebhookSecret> {
  const sealed = await sealText(work, 'webhook_secret', id, secret_token)
  const until = timestamp(work.now() + grace_seconds * 1000 + 999)
  return { sealed, previous: before && grace_seconds > 0 ? { sealed: before.sealed, until } : null }
}

/** Refuses a time that has not come: nothing can have failed since then. */
export function refuseFuture(since: number, now: number): void {
  if (since > now)
    throw new Refusal('invalid_parameter', { param: 'since', message: 'since must not be in the future.' })
}

/**
 * The webhook with what failed since a time to be delivered again, from the oldest on. What is still left of an earlier
 * recovery is part of it. Refused with `unprocessable_entity` while the webhook is switched off.
 */
export function recovering(webhook: Webhook, since: number, now: number): Webhook {
  if (!webhook.active) throw unreachable('not active')
  const asked = [timestamp(since), ...(webhook.recovery ? [webhook.recovery.since] : [])]
  return { ...webhook, recovery: { since: asked.toSorted()[0]!, next: null, due_at: timestamp(now) } }
}

/** Refuses with `unprocessable_entity` to deliver anew to a webhook that is deleted or switched off. */
export async function refuseUnreachable(work: Work, delivery: Delivery): Promise<void> {
  const receiver = await receiverOf(work, delivery)
  if ('error' in receiver) throw unreachable(receiver.error === 'webhook_deleted' ? 'deleted' : 'not active')
}

const unreachable = (state: string) => new Refusal('unprocessable_entity', { message: `The webhook is ${state}.` })
