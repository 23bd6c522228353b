import { type Event, type EventType, event_types } from './event.ts'

/** The events that a webhook can list. `payout.created` is accepted but never emitted. */
export const event_list_types = [...event_types, 'payout.created'] as const

export type EventListType = (typeof event_list_types)[number]

/**
 * The secrets that sign a webhook's deliveries, sealed by the vault. The previous secret is valid until
 * `previous.until`.
 */
export interface WebhookSecret {
  readonly sealed: string
  readonly previous: { readonly sealed: string; readonly until: string } | null
}

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
