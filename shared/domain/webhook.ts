import { type Event, type EventType, event_types } from './event.ts'

/** What a webhook can ask for. `payout.created` is accepted, and never happens. */
export const event_list_types = [...event_types, 'payout.created'] as const

export type EventListType = (typeof event_list_types)[number]

/** The secrets that sign a webhook's deliveries, sealed in the vault. The one before is valid until its time has come. */
export interface WebhookSecret {
  readonly sealed: string
  readonly previous: { readonly sealed: string; readonly until: string } | null
}

/** How far the redelivery of all that failed since then has come: what is left are the deliveries behind `next`; null: all of them. */
export interface Recovery {
  readonly since: string
  readonly next: string | null
  readonly due_at: string
}

/** A merchant's webhook: where to, and for which events. */
export interface Webhook {
  readonly id: string
  readonly version: number
  readonly url: string
  readonly active: boolean
  readonly event_list: readonly EventListType[]
  readonly secret: WebhookSecret | null
  readonly recovery: Recovery | null
  readonly created_at: string
  /** The number of the webhook's slot. Missing for webhooks that were made before slots existed. */
  readonly slot?: number
}

/** How many webhooks a merchant may have: each is one more delivery of each event. Their slots are numbered 1 to this. */
export const WEBHOOKS_MAX = 100

/**
 * The slots that one more webhook may take, by the slots of the merchant's webhooks; undefined for one without a slot. It
 * is empty where the merchant has as many webhooks as allowed. Each webhook that has no slot, or one beyond the last that
 * may be taken, makes one slot fewer available. So creates that each take a slot of their own never exceed the limit
 * together, even if some of them saw an older state.
 */
export function freeSlots(slots: readonly (number | undefined)[]): number[] {
  const taken = new Set(slots)
  const beyond = (last: number) => slots.filter((slot) => slot === undefined || slot > last).length
  let last = WEBHOOKS_MAX
  while (last > 0 && last + beyond(last) > WEBHOOKS_MAX) last--
  return Array.from({ length: last }, (_, index) => index + 1).filter((slot) => !taken.has(slot))
}

/** Whether a webhook gets an event: it asks for it, or the event is its own ping. */
export function wants(webhook: Webhook, { type, about }: Event): boolean {
  if (type === 'ping') return about.id === webhook.id
  return webhook.active && (webhook.event_list as readonly EventType[]).includes(type)
}
