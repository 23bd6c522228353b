import { createHash } from 'node:crypto'
import type { Delivery } from '#shared/domain/delivery.ts'
import type { Event } from '#shared/domain/event.ts'
import type { Attempt } from '#shared/domain/payment.ts'
import type { Item, Value } from '#shared/platform/ports.ts'
import { customers } from '#shared/store/customers.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { events } from '#shared/store/events.ts'
import { isId, service_kinds } from '#shared/store/keys.ts'
import { type AnyRecord, attributesOf, type Kind, recordOf } from '#shared/store/kind.ts'
import { payments } from '#shared/store/payments.ts'
import { settlements } from '#shared/store/settlements.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import type { Fact } from './spool.ts'

/** A fact, and the id of the group that it belongs to. */
export interface GroupedFact {
  readonly id: string
  readonly fact: Fact
}

/** The group of a merchant's webhooks and their slots. The name sorts before every id, so this group comes first. */
export const WEBHOOKS = '!webhooks'

/** Returns the merchant of an item. Returns undefined for an item that belongs to no merchant. */
export function merchantOf({ pk, merchant }: Item): string | undefined {
  const [kind, first, second] = pk.split('#')
  if (kind === 'list') return second
  if (kind === 'key') return merchant as string
  return kind === 'cursor' || kind === 'account_name' || service_kinds.has(kind!) ? undefined : first
}

/**
 * Returns the facts in an item, each with the id of its group. Facts contain no secret and no personal data, because
 * operators read them.
 */
export function factsOf(item: Item): GroupedFact[] {
  const { pk, sk } = item
  const [kind = '', , id = ''] = pk.split('#')
  if (kind === 'list') return isId(sk) ? [{ id: eventOr(sk), fact: { kind: 'entry', id: sk, ...entryOf(item) } }] : []
  if (sk.startsWith('attempt#')) return ofAttempt(kind, id, item)
  return facts_of[sk]?.(item, id) ?? []
}

type FactsOfItem = (item: Item, id: string) => GroupedFact[]

const text = (value: Value | undefined) => value as string

const facts_of: Readonly<Record<string, FactsOfItem>> = {
  payment: (item, id) => {
    const fact = pick(item, 'payment', ['status', 'total', 'amount_refunded', 'captured_at', 'failure', 'occurrence'], {
      ...{
        refunds: amounts(item.refunds),
        dashboard_refunds: amountsWithReference(item.refunds),
        requests: requestsOf(item.refund_requests),
        attempts_in_flight: attemptsInFlight(item),
      },
      ...{ webhooks: wantedBy(item.webhooks), session: item.session, lists: listsOf(payments, item) },
    })
    const { subscription } = (item.occurrence ?? {}) as { subscription?: string }
    return [id, subscription, text(item.session)].flatMap((group) => (group ? [{ id: group, fact }] : []))
  },
  subscription: (item, id) => {
    const record = recordOf(subscriptions, item)
    const due = subscriptions.due!(record) ?? null
    const fields = ['status', 'payments', 'retry_count', 'in_flight', 'due_at', 'due_shard']
    return [{ id, fact: pick(item, 'subscription', fields, { due, lists: listsOf(subscriptions, item) }) }]
  },
  session: (item, id) => [{ id, fact: pick(item, 'session', ['status', 'mode', 'payment', 'customer_id']) }],
  customer: (item, id) => {
    const fact = pick(item, 'customer', [], { stores: item.source !== null, lists: listsOf(customers, item) })
    return [{ id, fact }]
  },
  card: (item, id) => [{ id, fact: pick(item, 'card', []) }],
  secure_token: (item, id) => {
    const fact = pick(item, 'secure_token', ['verification_status', 'expires_at'], { holds: item.sealed !== null })
    return [{ id, fact }]
  },
  settlement: (item, id) => [{ id, fact: pick(item, 'settlement', [], { lists: listsOf(settlements, item) }) }],
  webhook: (item, id) => [
    { id, fact: pick(item, 'webhook', [], { lists: listsOf(webhooks, item) }) },
    { id: WEBHOOKS, fact: pick(item, 'webhook', ['active', 'event_list', 'slot'], { id }) },
  ],
  webhook_slot: (item) => [{ id: WEBHOOKS, fact: pick(item, 'webhook_slot', ['slot', 'webhook']) }],
  event: (item, id) => {
    const { about } = attributesOf<Pick<Event, 'about'>>(item)
    const fact = pick(item, 'event', ['type', 'about'], { id, lists: listsOf(events, item) })
    return [...new Set([id, about.id])].map((group) => ({ id: group, fact }))
  },
  outbox: (item, id) => [{ id, fact: pick(item, 'outbox', []) }],
  delivery: (item, id) => {
    const fields = ['event', 'webhook', 'payment', 'entry', 'status', 'attempts_made', 'tries', 'next_attempt_at']
    const { lease } = attributesOf<Pick<Delivery, 'lease'>>(item)
    const held = { id, until: lease?.until ?? null, lists: listsOf(deliveries, item) }
    const fact = pick(item, 'delivery', [...fields, 'due_at'], held)
    const own = item.entry === null ? [] : [{ id: text(item.payment), fact }]
    return [{ id: text(item.event), fact }, ...own]
  },
  api_key: (item, id) => [{ id: `key ${item.hash}`, fact: pick(item, 'api_key', ['revoked_at'], { id }) }],
  key: (item) => [{ id: `key ${item.pk.split('#')[1]}`, fact: pick(item, 'credential', ['revoked_at']) }],
}

function ofAttempt(kind: string, id: string, item: Item): GroupedFact[] {
  const number = Number(item.sk.split('#')[1])
  if (kind === 'delivery') {
    const fact = pick(item, 'delivery_attempt', ['status_code', 'error'], { number, delivery: id })
    return [{ id: eventOr(id), fact }]
  }
  const { outcome } = attributesOf<Pick<Attempt, 'outcome'>>(item)
  const fields = ['operation', 'amount', 'sent_at', 'inquire_at', 'due_at']
  return [{ id, fact: pick(item, 'attempt', fields, { number, result: outcome?.result ?? null }) }]
}

function pick(item: Item, kind: string, fields: readonly string[], more: object = {}): Fact {
  const picked = Object.fromEntries(fields.map((field) => [field, item[field] ?? null]))
  return { ...picked, ...more, version: item.version, kind } as Fact
}

/**
 * Returns the id of the group to which a record belongs. A delivery belongs to the group of its event, whose id is part
 * of the delivery's id.
 */
const eventOr = (id: string): string => (id.startsWith('dlv_') ? `evt_${id.slice(4, 30)}` : id)

/** Returns digests of the list entries that the current state of a record requires. */
function listsOf<R extends AnyRecord>(kind: Kind<R>, item: Item): string[] {
  const entries = kind.entries!(merchantOf(item)!, recordOf(kind, item))
  return entries.map(({ list, facet }) => digest(`${list.pk} ${facet}`))
}

const entryOf = ({ pk, facet }: Item) => ({ list: digest(`${pk} ${facet}`) })

/** Digests hide the e-mail addresses in the names of some lists. */
const digest = (place: string): string => createHash('sha256').update(place).digest('base64url').slice(0, 22)

const amounts = (all: Value | undefined) => (all as { amount: number }[]).map(({ amount }) => amount)

const amountsWithReference = (all: Value | undefined) =>
  (all as { amount: number; reference?: string }[]).flatMap(({ amount, reference }) => (reference ? [amount] : []))

const requestsOf = (all: Value | undefined) =>
  (all as { amount: number; status: string }[]).map(({ amount, status }) => ({ amount, status }))

const attemptsInFlight = ({ in_flight }: Item) =>
  (in_flight as { attempt: number; operation: string; amount: number }[]).map(({ attempt }) => attempt)

const wantedBy = (all: Value | undefined) => (all as { events: string[] }[]).map(({ events: wanted }) => wanted)
