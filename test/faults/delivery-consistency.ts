import type { Delivery, DeliveryAttempt } from '#shared/domain/delivery.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import type { Item } from '#shared/platform/ports.ts'

/*
 * Looks through all that a table holds for what cannot be of events and their deliveries: an event that nobody was told
 * of, a receiver told twice, an attempt that is missing. It reads the items alone and shares no code with the service.
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

/** Everything that is wrong with the deliveries of these items, one sentence each; `settled`: nothing is on its way. */
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
    ...items.filter(isKind('event')).flatMap((item) => untoldReceivers(world, item as unknown as EventItem)),
    ...deliveries.flatMap((item) => ofDelivery(world, item)),
    ...[...world.attempts.keys()].flatMap((pk) =>
      world.at.has(`${pk}|delivery`) ? [] : [`${pk} has attempts, but is not there`],
    ),
    ...world.webhooks.flatMap(({ id, recovery }) => (settled && recovery ? [`${id} is still being recovered`] : [])),
    ...items.flatMap(({ pk, sk }) =>
      sk === 'outbox' && !world.at.has(`${pk}|event`) ? [`${pk} waits for receivers and is not there`] : [],
    ),
  ]
}

/** Every event was fanned out to all who asked for it, or has its outbox row. */
function untoldReceivers({ at, webhooks, deliveries, settled }: World, event: EventItem): string[] {
  const { pk, id, type, about } = event
  const merchant = merchantOf(pk)
  if (at.has(`${pk}|outbox`)) return settled ? [`nobody was told of ${id}`] : []
  const told = deliveries.get(`${merchant}|${id}`) ?? []
  const payment = at.get(`payment#${merchant}#${about.id}|payment`) as unknown as (Item & Payment) | undefined
  const asked = webhooks.filter((webhook) => merchantOf(webhook.pk) === merchant && hasAsked(webhook, event))
  return [
    ...(payment?.webhooks ?? []).flatMap(({ events }, entry) =>
      (events as readonly string[]).includes(type) && !told.some((delivery) => delivery.entry === entry)
        ? [`webhook ${entry} of ${about.id} has no delivery of ${id}`]
        : [],
    ),
    ...asked
      .filter((webhook) => !told.some((delivery) => delivery.webhook === webhook.id))
      .map((webhook) => `${webhook.id} has no delivery of ${id}`),
  ]
}

/** Whether a webhook wanted the event for sure: one that was changed since may have asked for something else then. */
function hasAsked(webhook: WebhookItem, { id, type, about }: EventItem): boolean {
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
  if (!of) wrong.push(`${id} is of ${event}, which is not there`)
  else if (of.type !== event_type || payment !== (of.about.kind === 'payment' ? of.about.id : null))
    wrong.push(`${id} tells of ${event_type} of ${payment}, its event does not`)
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

/** Attempts are numbered from 0 without a gap, and the last one says what the delivery says. */
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

/** The letters of an id that tell its birth, in the order of time. */
const birthOf = (id: string): string => id.slice(4, 14)

const merchantOf = (pk: string): string => pk.split('#')[1]!
