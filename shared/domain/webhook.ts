import { Refusal } from './errors.ts'
import { type Event, type EventType, event_types } from './event.ts'
import { timestamp } from './timestamp.ts'
import { newSecret, replacedSecret, type WebhookSecret } from './webhook-secret.ts'

/** The events that a webhook can list. `payout.created` is accepted but never emitted. */
export const event_list_types = [...event_types, 'payout.created'] as const

export type EventListType = (typeof event_list_types)[number]

/**
 * The progress of a recovery, which redelivers everything that failed since `since`. The recovery continues after the
 * delivery `next`; null means that it starts with the first one.
 */
export interface Recovery {
  readonly since: string
  readonly next: string | null
  readonly due_at: string
}

/** A merchant's webhook: its URL and the events that it lists. */
export interface Webhook {
  readonly id: string
  readonly version: number
  readonly url: string
  readonly active: boolean
  readonly event_list: readonly EventListType[]
  readonly secret: WebhookSecret | null
  readonly recovery: Recovery | null
  readonly created_at: string
  /** The number of the webhook's slot. Absent for webhooks that were created before slots existed. */
  readonly slot?: number
}

/**
 * How many webhooks a merchant can have. Each webhook adds one delivery to every event. Slots are numbered from 1 to
 * this number.
 */
export const WEBHOOKS_MAX = 100

/**
 * Returns the slots that a new webhook can take, given the slots of the merchant's webhooks (undefined for a webhook
 * without a slot). The result is empty if the merchant has as many webhooks as allowed. Each webhook without a slot, or
 * with a slot above the last usable one, makes one slot fewer available. Concurrent creates that each take their own
 * slot therefore never exceed the limit together, even if some of them read an older state.
 */
export function freeSlots(slots: readonly (number | undefined)[]): number[] {
  const taken = new Set(slots)
  const beyond = (last: number) => slots.filter((slot) => slot === undefined || slot > last).length
  let last = WEBHOOKS_MAX
  while (last > 0 && last + beyond(last) > WEBHOOKS_MAX) last--
  return Array.from({ length: last }, (_, index) => index + 1).filter((slot) => !taken.has(slot))
}

/** Whether a webhook gets an event: it is active and lists the event, or the event is its own ping. */
export function wants(webhook: Webhook, { type, about }: Event): boolean {
  if (type === 'ping') return about.id === webhook.id
  return webhook.active && (webhook.event_list as readonly EventType[]).includes(type)
}

/** The next state of a webhook, and the events that the change emits. */
export interface WebhookDecision {
  readonly next: Webhook
  readonly events: readonly EventType[]
}

/** Creates a webhook in a slot. `sealed` is its sealed secret, or null. The webhook gets a ping at once. */
export const createWebhook = (
  fields: Pick<Webhook, 'id' | 'url' | 'active' | 'event_list'> & { readonly slot: number },
  sealed: string | null,
  now: number,
): WebhookDecision => ({
  next: { ...fields, version: 0, secret: newSecret(sealed), recovery: null, created_at: timestamp(now) },
  events: ['ping'],
})

/**
 * Changes the named fields of a webhook. A new sealed secret replaces both secrets at once, null removes them, and
 * undefined keeps them.
 */
export const updateWebhook = (
  webhook: Webhook,
  fields: Partial<Pick<Webhook, 'url' | 'active' | 'event_list'>>,
  sealed: string | null | undefined,
): WebhookDecision => ({
  next: { ...webhook, ...fields, secret: sealed === undefined ? webhook.secret : newSecret(sealed) },
  events: [],
})

/** Replaces the secret of a webhook. The previous secret stays valid for the grace time, which may be 0. */
export const rotateSecret = (
  webhook: Webhook,
  sealed: string,
  grace_seconds: number,
  now: number,
): WebhookDecision => ({
  next: { ...webhook, secret: replacedSecret(webhook.secret, sealed, grace_seconds, now) },
  events: [],
})

/** Returns the refusal `unprocessable_entity` of an action on a webhook that is deleted or not active. */
export const unreachable = (state: 'deleted' | 'not active'): Refusal =>
  new Refusal('unprocessable_entity', {
    message: `The webhook is ${state}. ${state === 'deleted' ? 'Create a new one with POST /webhooks' : 'Activate it with PATCH /webhooks/:id'}.`,
  })

/** Refuses a recovery since a time in the future with `invalid_parameter`: no delivery can have failed since then. */
export function refuseFuture(since: number, now: number): void {
  if (since > now)
    throw new Refusal('invalid_parameter', { param: 'since', message: 'since must not be in the future.' })
}

/**
 * Starts a recovery, which redelivers, oldest first, everything that has failed since a time. A recovery that is still
 * running becomes part of the new one. Refuses with `unprocessable_entity` a webhook that is not active.
 */
export function recoverWebhook(webhook: Webhook, since: number, now: number): WebhookDecision {
  if (!webhook.active) throw unreachable('not active')
  const asked = [timestamp(since), ...(webhook.recovery ? [webhook.recovery.since] : [])]
  const recovery: Recovery = { since: asked.toSorted()[0]!, next: null, due_at: timestamp(now) }
  return { next: { ...webhook, recovery }, events: [] }
}

/**
 * Records a batch of a recovery. The recovery is due again at once and continues after the delivery `next`. If `next`
 * is undefined, the recovery ends.
 */
export function continueRecovery(webhook: Webhook, next: string | undefined, now: number): WebhookDecision {
  const { recovery } = webhook
  const rest = recovery && next !== undefined ? { ...recovery, next, due_at: timestamp(now) } : null
  return { next: { ...webhook, recovery: rest }, events: [] }
}
