import type { Attempt, Outcome, Payment } from '#shared/domain/payment.ts'
import type { Session } from '#shared/domain/session.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import type { Item } from '#shared/platform/ports.ts'
import { wrongDeliveries } from './delivery-consistency.ts'

/*
 * Checks that the items of a table agree: money that the acquirer moved with the payment, states with their events, list
 * entries with their records. The checks read only the items and share no code with the service, so that they cannot
 * repeat a fault of the service.
 */

export interface ConsistencyOptions {
  /** Whether all requests have ended and the clock has advanced, so that no work may be left. */
  readonly settled?: boolean
}

/** Returns everything that is wrong with these items, one sentence each. */
export function inconsistencies(items: Iterable<Item>, { settled = false }: ConsistencyOptions = {}): string[] {
  const all = [...items]
  const world = indexed(all)
  return [
    ...all.filter(isKind('payment')).flatMap((item) => ofPayment(world, item)),
    ...all.filter(isKind('session')).flatMap((item) => ofSession(world, item)),
    ...all.filter(isKind('subscription')).flatMap((item) => ofSubscription(world, item)),
    ...all.filter(isKind('customer')).flatMap((item) => ofCustomer(world, item)),
    ...all.filter(isKind('event')).flatMap((item) => ofEvent(world, item)),
    ...all.filter(isKind('webhook')).flatMap((item) => ofWebhook(world, item)),
    ...all
      .filter(({ pk }) => /^list#[a-z]+#/.test(pk) && !pk.endsWith('#count'))
      .flatMap((item) => ofEntry(world, item)),
    ...all.filter(({ pk }) => pk.startsWith('sandbox#')).flatMap((item) => ofLedgerRow(world, item)),
    ...all.filter(({ pk }) => pk.startsWith('card#')).flatMap((item) => ofCard(world, item)),
    ...all.filter(({ pk }) => pk.startsWith('idempotency#')).flatMap((item) => ofKey(world, item)),
    ...tokensSpentTwice(all),
    ...wrongDeliveries(all, settled),
    ...(settled ? all.flatMap(unsettled) : []),
  ]
}

interface World {
  readonly at: ReadonlyMap<string, Item>
  readonly events: ReadonlyMap<string, readonly EventItem[]>
  readonly attempts: ReadonlyMap<string, readonly AttemptItem[]>
  /** The payments of subscriptions, by the key of their charge at the acquirer. */
  readonly occurrences: ReadonlyMap<string, readonly PaymentItem[]>
  /** The payments of sessions, by session. */
  readonly tries: ReadonlyMap<string, readonly PaymentItem[]>
}

type EventItem = Item & { type: string; about: { kind: string; id: string; version: number }; data: string }
type AttemptItem = Item & Attempt
type PaymentItem = Item & Payment

const isKind = (kind: string) => (item: Item) => item.sk === kind && item.pk.startsWith(`${kind}#`)

function indexed(items: readonly Item[]): World {
  const attempts = items.filter(({ pk, sk }) => pk.startsWith('payment#') && sk.startsWith('attempt#'))
  const payments = items.filter(isKind('payment')) as unknown as PaymentItem[]
  const occurrences = payments.filter((each) => each.occurrence)
  return {
    tries: Map.groupBy(
      payments.filter((each) => each.session),
      (payment) => payment.session!,
    ),
    occurrences: Map.groupBy(occurrences, (payment) => keyAtAcquirer(payment, 'charge', 1)),
    at: new Map(items.map((item) => [`${item.pk}|${item.sk}`, item])),
    events: Map.groupBy(items.filter(isKind('event')) as EventItem[], ({ about }) => about.id),
    attempts: Map.groupBy(attempts as unknown as AttemptItem[], ({ pk }) => pk),
  }
}

/** Returns the key of an operation at the acquirer. The key of a subscription's charge names interval and try. */
function keyAtAcquirer({ id, occurrence }: PaymentItem, operation: string, number: number): string {
  if (operation !== 'charge' || !occurrence) return `${id}-${number}`
  return `${occurrence.subscription}-${occurrence.interval}-${occurrence.try}`
}

function ofPayment(world: World, item: Item): string[] {
  const payment = item as unknown as PaymentItem
  const { id, status, currency, customer, external_order_num, total, amount_refunded, refunds } = payment
  const merchant = merchantOf(item)
  const facet = [status, currency, ...(customer && external_order_num ? [external_order_num] : [])].join('/')
  const lists = [
    `list#payment#${merchant}`,
    ...(customer ? [`list#payment#${merchant}#customer#${customer}`] : []),
    ...(external_order_num ? [`list#payment#${merchant}#external_order_num#${external_order_num}`] : []),
  ]
  const wrong = lists.flatMap((pk) => {
    const entry = world.at.get(`${pk}|${id}`)
    return entry?.facet === facet ? [] : [`${id} is ${facet}, its entry in ${pk} says ${entry?.facet}`]
  })
  const sum = refunds.reduce((all, { amount }) => all + amount, 0)
  if (sum !== amount_refunded) wrong.push(`${id} has refunds of ${sum} and says ${amount_refunded}`)
  if (amount_refunded > total) wrong.push(`${id} refunded ${amount_refunded} of ${total}`)
  if (status === 'refunded' && amount_refunded !== total) wrong.push(`${id} is refunded, but not all of it`)
  return [...wrong, ...eventsOfPayment(world, payment), ...attemptsOfPayment(world, payment), ...money(world, payment)]
}

/**
 * Checks that at most one payment of a session was paid or reserved, that this payment completed the session, that only
 * the current payment of a pending session is open, and that all payments of a session have its customer.
 */
function ofSession(world: World, item: Item): string[] {
  const { id, mode, status, payment, customer_id } = item as unknown as Session
  const tries = world.tries.get(id) ?? []
  const paid = tries.filter((each) =>
    (world.events.get(each.id) ?? []).some(({ type }) => type === 'payment.captured' || type === 'payment.authorized'),
  )
  const open = tries.filter((each) => each.status === 'pending')
  const wrong: string[] = []
  if (paid.length > 1) wrong.push(`${id} was paid ${paid.length} times`)
  if (status === 'completed' && mode === 'payment' && paid[0]?.id !== payment)
    wrong.push(`${id} is completed and names ${payment}, it was paid with ${paid[0]?.id}`)
  if (status !== 'completed' && paid.length > 0) wrong.push(`${id} is ${status} and was paid with ${paid[0]?.id}`)
  if (mode === 'customer' && (customer_id !== null) !== (status === 'completed'))
    wrong.push(`${id} of mode ${mode} is ${status} with customer ${customer_id}`)
  for (const each of tries.filter(({ customer }) => customer !== customer_id))
    wrong.push(`${id} has customer ${customer_id}, and its payment ${each.id} has ${each.customer}`)
  if (open.some((each) => each.id !== payment) || (status !== 'pending' && open.length > 0))
    wrong.push(`${id} is ${status} and names ${payment}, and ${open.map((each) => each.id)} can still be paid`)
  if (payment !== null && !tries.some((each) => each.id === payment)) wrong.push(`${id} names ${payment}, not its own`)
  return wrong
}

function eventsOfPayment(world: World, payment: PaymentItem): string[] {
  const { id, status, captured_at, refunds, failure, refund_requests } = payment
  const types = (world.events.get(id) ?? []).map(({ type }) => type)
  const count = (type: string) => types.filter((other) => other === type).length
  const exactly: Record<string, boolean | number> = {
    'payment.captured': captured_at !== null,
    'payment.refund.created': refunds.length,
    'payment.refunded': status === 'refunded',
    'payment.failed': status === 'failed',
    'payment.marked.as.fraud': failure === 'fraudulent',
    'payment.cancelled': status === 'cancelled',
    'payment.expired': status === 'expired',
    ...(status === 'authorized' && { 'payment.authorized': 1 }),
  }
  const wrong = Object.entries(exactly)
    .filter(([type, times]) => count(type) !== Number(times))
    .map(([type, times]) => `${id} should have ${Number(times)} events of type ${type}, not ${count(type)}`)
  if (count('payment.authorized') > 1) wrong.push(`${id} was authorized twice`)
  if (count('payment.updated') < refund_requests.length) wrong.push(`${id} has refund requests without an event`)
  return wrong
}

function attemptsOfPayment(world: World, { id, pk, in_flight, version, total }: PaymentItem): string[] {
  const attempts = world.attempts.get(pk) ?? []
  const open = attempts.filter(({ outcome }) => outcome === null).map(({ number }) => number)
  const known = in_flight.map(({ attempt }) => attempt)
  const wrong = attempts.some(({ number }) => number > version) ? [`${id} has an attempt of a later version`] : []
  if (attempts.some(({ operation }) => operation === 'charge') === (total === 0))
    wrong.push(`${id} of ${total} has ${total === 0 ? 'a' : 'no'} charge attempt`)
  if (open.join() !== known.join()) wrong.push(`${id} has ${known} in flight, but the open attempts are ${open}`)
  return wrong
}

/** Checks the payment against the acquirer's ledger: what was charged, and what was refunded or voided. */
function money(world: World, payment: PaymentItem): string[] {
  const { id, pk, status, in_flight, refunds, refund_requests, failure } = payment
  const rows = (world.attempts.get(pk) ?? []).flatMap(({ number, operation }) => {
    const key = keyAtAcquirer(payment, operation, number)
    const row = world.at.get(`sandbox#${merchantOf(payment)}#${key}|sandbox`)
    return row ? [{ operation, amount: row.amount as number, result: (row.outcome as unknown as Outcome).result }] : []
  })
  const done = (operation: string) => rows.filter((row) => row.operation === operation && row.result === 'done')
  const charge = rows.find(({ operation }) => operation === 'charge')?.result
  const settling = in_flight.length > 0
  const paid = status === 'captured' || status === 'refunded'
  const wrong: string[] = []

  const given_back = done('refund').reduce((sum, { amount }) => sum + amount, 0)
  const transferred = refund_requests.filter((request) => request.status === 'completed')
  const known =
    refunds.reduce((sum, { amount }) => sum + amount, 0) - transferred.reduce((sum, { amount }) => sum + amount, 0)
  const out = in_flight.filter(({ operation }) => operation === 'refund').reduce((sum, { amount }) => sum + amount, 0)
  if (given_back < known || given_back > known + out)
    wrong.push(`${id} has refunds of ${known} and ${out} in flight, the acquirer of ${given_back}`)
  if (given_back > payment.total) wrong.push(`${id}: the acquirer refunded ${given_back} of ${payment.total}`)

  const took = charge === 'captured' || (charge === 'authorized' && payment.payment_details.type === 'credit_card')
  if (paid && payment.total > 0 && !took && charge !== 'authorized' && charge !== 'pending')
    wrong.push(`${id} is ${status}, but never paid`)
  if (done('capture').length > 1) wrong.push(`${id} was captured ${done('capture').length} times`)
  if (done('capture').length > 0 && !paid && !settling) wrong.push(`${id} is ${status}, but the acquirer captured it`)
  const given_up = status === 'cancelled' || status === 'expired' || status === 'failed'
  if (took && given_up && !settling && done('void').length === 0) wrong.push(`${id} is ${status} and was never voided`)
  if (!given_up && !settling && done('void').length > 0) wrong.push(`${id} is ${status}, but the acquirer voided it`)
  if (status === 'failed' && !settling && took && failure === null) wrong.push(`${id} failed without a reason`)
  return wrong
}

function ofSubscription(world: World, item: Item): string[] {
  const { id, status, in_flight, payments, retry_count } = item as unknown as Subscription
  const { uuid } = JSON.parse((item as unknown as { customer: string }).customer)
  const merchant = merchantOf(item)
  const wrong = [`list#subscription#${merchant}`, `list#subscription#${merchant}#customer#${uuid}`].flatMap((pk) => {
    const entry = world.at.get(`${pk}|${id}`)
    return entry?.facet === status ? [] : [`${id} is ${status}, its entry in ${pk} says ${entry?.facet}`]
  })
  const occurrences = [...world.occurrences.values()].flat().filter((each) => each.occurrence?.subscription === id)
  const captured = occurrences.filter((each) => each.captured_at !== null).map((each) => each.id)
  if (captured.toSorted().join() !== payments.toSorted().join())
    wrong.push(`${id} knows of the payments ${payments}, and ${captured} were captured`)
  const open = occurrences.filter((each) => each.status === 'pending').map((each) => each.id)
  if (open.join() !== (in_flight ?? '')) wrong.push(`${id} waits for ${in_flight}, and ${open} are pending`)
  const types = (world.events.get(id) ?? []).map(({ type }) => type.replace('subscription.', ''))
  const count = (type: string) => types.filter((other) => other === type).length
  const counts = [count('created'), count('captured'), count('deleted')]
  if (counts.join() !== [1, payments.length, status === 'deleted' ? 1 : 0].join())
    wrong.push(`${id} is ${status} with ${payments.length} payments and has the events ${types}`)
  if (count('failed') < retry_count) wrong.push(`${id} failed ${retry_count} times and has the events ${types}`)
  return wrong
}

function ofCustomer(world: World, item: Item): string[] {
  const { id, email, source } = item as unknown as { id: string; email: string | null; source: object | null }
  const merchant = merchantOf(item)
  const lists = [
    `list#customer#${merchant}`,
    ...(email ? [`list#customer#${merchant}#email#${email.toLowerCase()}`] : []),
  ]
  const types = (world.events.get(id) ?? []).map(({ type }) => type)
  const versions = new Set((world.events.get(id) ?? []).map(({ about }) => about.version))
  const wrong = lists.filter((pk) => !world.at.has(`${pk}|${id}`)).map((pk) => `${id} is missing in ${pk}`)
  if (types.filter((type) => type === 'customer.created').length !== 1) wrong.push(`${id} was not created once`)
  if (types.includes('customer.deleted')) wrong.push(`${id} is there after it was deleted`)
  if (versions.size !== item.version || types.length !== item.version)
    wrong.push(`${id} has version ${item.version} and the events ${types.join()}`)
  if (world.at.has(`card#${merchant}#${id}|card`) !== (source !== null))
    wrong.push(`${id} shows ${source ? 'a source' : 'no source'}, and has ${source ? 'none' : 'one'}`)
  return wrong
}

function ofEvent(world: World, item: Item): string[] {
  const { id, type, about, data } = item as unknown as EventItem & { id: string }
  const merchant = merchantOf(item)
  const record = world.at.get(`${about.kind}#${merchant}#${about.id}|${about.kind}`)
  const twins = (world.events.get(about.id) ?? []).filter(
    (other) => other.type === type && other.about.version === about.version,
  )
  const wrong: string[] = []
  if (twins.length !== 1)
    wrong.push(`${type} of ${about.id} version ${about.version} was emitted ${twins.length} times`)
  if (world.at.get(`list#event#${merchant}|${id}`)?.facet !== type) wrong.push(`${id} is not in the list as ${type}`)
  const was_deleted = world.events.get(about.id)?.some((other) => other.type === 'customer.deleted')
  if (!record && !(about.kind === 'customer' && was_deleted) && about.kind !== 'webhook')
    wrong.push(`${type} is about ${about.id}, which does not exist`)
  if (record && about.version > record.version)
    wrong.push(`${type} of ${about.id} shows a version that does not exist yet`)
  if (JSON.parse(data).id !== about.id) wrong.push(`${id} shows another resource than its own`)
  return wrong
}

/** Checks that a webhook and its slot name each other. Slots are numbered from 1 to 100. */
function ofWebhook(world: World, item: Item): string[] {
  const { id, slot } = item as unknown as { id: string; slot?: number }
  if (slot === undefined) return []
  const merchant = merchantOf(item)
  const row = world.at.get(`webhook_slot#${merchant}#${slot}|webhook_slot`)
  const wrong = row?.webhook === id ? [] : [`${id} says slot ${slot}, which names ${row?.webhook}`]
  if (slot < 1 || slot > 100) wrong.push(`${id} has slot ${slot}`)
  if (world.at.get(`list#webhook#${merchant}|${id}`)?.facet !== String(slot))
    wrong.push(`${id} is not listed by its slot`)
  return wrong
}

function ofEntry(world: World, { pk, sk }: Item): string[] {
  const [, kind, merchant] = pk.split('#')
  return world.at.has(`${kind}#${merchant}#${sk}|${kind}`) ? [] : [`${pk} names ${sk}, which does not exist`]
}

function ofLedgerRow(world: World, { pk }: Item): string[] {
  const [, merchant, key = ''] = pk.split('#')
  if (key.startsWith('sub_')) {
    const made = world.occurrences.get(key)?.length ?? 0
    return made === 1 ? [] : [`the acquirer knows ${key} once, the service ${made} times`]
  }
  const [payment, attempt = ''] = key.split('-')
  const row = world.at.get(`payment#${merchant}#${payment}|attempt#${attempt.padStart(6, '0')}`)
  return row ? [] : [`the acquirer knows ${key}, the service does not`]
}

function ofCard(world: World, { pk }: Item): string[] {
  const [, merchant, customer] = pk.split('#')
  return world.at.has(`customer#${merchant}#${customer}|customer`) ? [] : [`${pk} has no customer`]
}

function ofKey(world: World, item: Item): string[] {
  const { bound, answer } = item as unknown as { bound: { payment: string; attempt: number } | null; answer: unknown }
  if (!bound) return answer ? [] : [`${item.pk} is bound to nothing and has no answer`]
  const merchant = merchantOf(item)
  const attempt = `payment#${merchant}#${bound.payment}|attempt#${String(bound.attempt).padStart(6, '0')}`
  return world.at.has(attempt) ? [] : [`${item.pk} is bound to ${bound.payment}, which does not exist`]
}

function tokensSpentTwice(items: readonly Item[]): string[] {
  const spent = items.flatMap(({ sk, token }) => (sk.startsWith('attempt#') && token ? [token as string] : []))
  return spent.filter((token, index) => spent.indexOf(token) !== index).map((token) => `token ${token} was spent twice`)
}

function unsettled(item: Item): string[] {
  const { pk, sk, in_flight, spent_by } = item as Item & { in_flight?: readonly unknown[]; spent_by?: string | null }
  if (in_flight && in_flight.length > 0) return [`${pk} still has ${in_flight.length} operations in flight`]
  if (sk.startsWith('attempt#') && item.outcome === null) return [`${pk} ${sk} has no outcome`]
  if (sk === 'file' && item.state !== 'stored') return [`${pk} is ${item.state} and still stored`]
  if (sk === 'token' && spent_by) return [`${pk} is spent and still stored`]
  if (sk === 'secure_token' && item.sealed && (spent_by || item.verification_status === 'ERRORED'))
    return [`${pk} is spent or failed, and its details are still stored`]
  return []
}

const merchantOf = ({ pk }: Item): string => pk.split('#')[1]!
