import type { Delivery, DeliveryAttempt } from '#shared/domain/delivery.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import type { Item } from '#shared/platform/ports.ts'

/*
 * Checks that events, deliveries and attempts agree: each receiver has one delivery of each of its events, and each delivery
 * has its attempts. The checks read only the items and share no code with the service.
 */

type EventItem = Item & { id: string; type: string; about: { kind: string; id: string } }
type WebhookItem = Item & Webhook
type DeliveryItem = Item & Delivery

interface World {
  readonly at: ReadonlyMap<string, Item>
  readonly webhooks: readonly WebhookItem[]
  readonly deliveries: ReadonlyMap<string, readonly DeliveryItem[]>
  readonly attempts: ReadonlyMap<string, readonly DeliveryAttempt[]>
  readonly settled: boolean
}

const LAST_TRY = 26

/** Returns everything that is wrong with the deliveries, one sentence each. `settled`: no work may be left. */
export function wrongDeliveries(items: readonly Item[], settled: boolean): string[] {
  const isKind = (kind: string) => (item: Item) => item.sk === kind && item.pk.startsWith(`${kind}#`)
  const beneath = items.filter(({ pk, sk }) => pk.startsWith('delivery#') && sk !== 'delivery')
  const deliveries = items.filter(isKind('delivery')) as unknown as DeliveryItem[]
  const world: World = {
    at: new Map(items.map((item) => [`${item.pk}|${item.sk}`, item])),
    webhooks: items.filter(isKind('webhook')) as unknown as WebhookItem[],
    deliveries: Map.groupBy(deliveries, ({ pk, event }) => `${merchantOf(pk)}|${event}`),
    attempts: Map.groupBy(beneath as unknown as DeliveryAttempt[], (item) => (item as unknown as Item).pk),
    settled,
  }
  return [
    ...items.filter(isKind('event')).flatMap((item) => missingDeliveries(world, item as unknown as EventItem)),
    ...deliveries.flatMap((item) => ofDelivery(world, item)),
    ...[...world.attempts.keys()].flatMap((pk) =>
      world.at.has(`${pk}|delivery`) ? [] : [`${pk} has attempts and does not exist`],
    ),
    ...world.webhooks.flatMap(({ id, recovery }) => (settled && recovery ? [`${id} is still being recovered`] : [])),
    ...items.flatMap(({ pk, sk }) =>
      sk === 'outbox' && !world.at.has(`${pk}|event`) ? [`${pk} has an outbox row and does not exist`] : [],
    ),
  ]
}

/** Checks that an event has a delivery to each of its receivers, or its outbox row. */
function missingDeliveries({ at, webhooks, deliveries, settled }: World, event: EventItem): string[] {
  const { pk, id, type, about } = event
  const merchant = merchantOf(pk)
  if (at.has(`${pk}|outbox`)) return settled ? [`${id} was not fanned out`] : []
  const made = deliveries.get(`${merchant}|${id}`) ?? []
  const payment = at.get(`payment#${merchant}#${about.id}|payment`) as unknown as (Item & Payment) | undefined
  const subscribed = webhooks.filter((webhook) => merchantOf(webhook.pk) === merchant && isSubscribed(webhook, event))
  return [
    ...(payment?.webhooks ?? []).flatMap(({ events }, entry) =>
      (events as readonly string[]).includes(type) && !made.some((delivery) => delivery.entry === entry)
        ? [`webhook ${entry} of ${about.id} has no delivery of ${id}`]
        : [],
    ),
    ...subscribed
      .filter((webhook) => !made.some((delivery) => delivery.webhook === webhook.id))
      .map((webhook) => `${webhook.id} has no delivery of ${id}`),
  ]
}

/**
 * Whether a webhook certainly subscribed to an event. A webhook that has changed may have subscribed to others before.
 */
function isSubscribed(webhook: WebhookItem, { id, type, about }: EventItem): boolean {
  if (type === 'ping') return about.id === webhook.id
  const was_there = birthOf(webhook.id) <= birthOf(id)
  const is_unchanged = webhook.version === 1 && webhook.active
  return was_there && is_unchanged && (webhook.event_list as readonly string[]).includes(type)
}

function ofDelivery(world: World, item: DeliveryItem): string[] {
  const { pk, id, event, event_type, webhook, payment, entry } = item
  const merchant = merchantOf(pk)
  const of = world.at.get(`event#${merchant}#${event}|event`) as unknown as EventItem | undefined
  const twins = (world.deliveries.get(`${merchant}|${event}`) ?? []).filter(
    (other) => other.webhook === webhook && other.entry === entry,
  )
  const wrong: string[] = []
  if (!of) wrong.push(`${id} is of ${event}, which does not exist`)
  else if (of.type !== event_type || payment !== (of.about.kind === 'payment' ? of.about.id : null))
    wrong.push(`${id} is about ${event_type} of ${payment}, and its event is not`)
  if (twins.length !== 1) wrong.push(`${event} has ${twins.length} deliveries to ${webhook ?? `webhook ${entry}`}`)
  if ((webhook === null) === (entry === null)) wrong.push(`${id} goes to no receiver, or to two`)
  if (!id.startsWith(`dlv_${event.slice(4)}`) || id.length !== event.length + 16)
    wrong.push(`${id} is not named after ${event}`)
  return [...wrong, ...entriesOf(world, item), ...attemptsOf(world, item), ...stateOf(world, item)]
}

function entriesOf({ at }: World, { pk, id, status, webhook, payment }: DeliveryItem): string[] {
  const all = `list#delivery#${merchantOf(pk)}`
  const facet = `${status}/${webhook ?? ''}/${payment ?? ''}`
  return [
    all,
    ...(webhook ? [`${all}#webhook#${webhook}`] : []),
    ...(payment ? [`${all}#payment#${payment}`] : []),
  ].flatMap((list) => {
    const entry = at.get(`${list}|${id}`)
    return entry?.facet === facet ? [] : [`${id} is ${facet}, its entry in ${list} says ${entry?.facet}`]
  })
}

/** Checks that attempts are numbered from 0 without a gap, and that the last one explains the status. */
function attemptsOf({ attempts }: World, { pk, id, status, attempts_made, tries }: DeliveryItem): string[] {
  const made = attempts.get(pk) ?? []
  const numbers = made.map(({ number }) => number).sort((one, other) => one - other)
  const wrong: string[] = []
  if (numbers.length !== attempts_made || numbers.some((number, index) => number !== index))
    wrong.push(`${id} says ${attempts_made} attempts and has ${numbers.join()}`)
  const last = made.find(({ number }) => number === attempts_made - 1)
  const { status_code = null, error = null } = last ?? {}
  const is_success = status_code !== null && status_code >= 200 && status_code < 300
  const is_gone = error === 'webhook_deleted' || error === 'webhook_inactive'
  if (status === 'delivered' && !is_success) wrong.push(`${id} is delivered, its last attempt was ${status_code}`)
  if (status === 'failed' && (is_success || !(is_gone || tries === LAST_TRY)))
    wrong.push(`${id} failed after ${tries} tries, the last of them ${status_code ?? error}`)
  if (tries > LAST_TRY || tries > attempts_made) wrong.push(`${id} says ${tries} tries of ${attempts_made} attempts`)
  return wrong
}

function stateOf({ settled }: World, { id, status, next_attempt_at, lease, due_at }: DeliveryItem): string[] {
  const wrong: string[] = []
  const due = status === 'pending' ? (lease?.until ?? next_attempt_at) : undefined
  if (due_at !== due || (status === 'pending') !== (next_attempt_at !== null))
    wrong.push(`${id} is ${status}, due ${due_at}, its next attempt ${next_attempt_at}`)
  if (lease && (settled || status !== 'pending')) wrong.push(`${id} is ${status} and held until ${lease.until}`)
  return wrong
}

/** Returns the letters of an id that encode its creation time. The letters sort by time. */
const birthOf = (id: string): string => id.slice(4, 14)

const merchantOf = (pk: string): string => pk.split('#')[1]!
