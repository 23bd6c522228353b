import { keyOf } from '#infra/local/dynamodb-limits.ts'
import type { Delivery } from '#shared/domain/delivery.ts'
import type { Event } from '#shared/domain/event.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import type { PostRequest } from '#shared/webhooks/guarded-post.ts'
import type { DeliveryInvariants } from './delivery-invariants.ts'
import { DeliveryModel } from './delivery-model.ts'
import { type HeldLease, Posts } from './delivery-posts.ts'
import type { Process, World } from './world.ts'

/** An event, when it was committed, and when its outbox row was removed. */
interface EmittedEvent {
  readonly event: Event
  readonly at: number
  fanned_out_at: number
}

/** The state of a webhook from the commit at `at` on. `webhook` is null once the webhook is deleted. */
interface WebhookState {
  readonly at: number
  readonly webhook: Webhook | null
}

/** A recovery: when it was requested, and the deliveries that had failed by then. */
interface Recovery {
  readonly at: number
  readonly failed: readonly DeliveryModel[]
}

/** Checks every commit and every POST of a history. */
export class Audit {
  readonly deliveries = new Map<string, DeliveryModel>()
  readonly events = new Map<string, EmittedEvent>()
  readonly webhooks = new Map<string, WebhookState[]>()
  readonly payments = new Map<string, Payment['webhooks']>()
  readonly posts: Posts
  readonly #world: World
  readonly #invariants: DeliveryInvariants
  /** The last recovery of each webhook. */
  readonly #recoveries = new Map<string, Recovery>()
  #recoveries_requested = 0
  /** Each event and receiver that have a delivery. */
  readonly #fanned_out = new Set<string>()

  constructor(world: World, invariants: DeliveryInvariants) {
    this.#world = world
    this.#invariants = invariants
    this.posts = new Posts(invariants)
  }

  /** Returns statistics of the history, each as a name and a count. */
  figures(): [string, number][] {
    const deliveries = [...this.deliveries.values()]
    return [
      ['events', this.events.size],
      ['deliveries', deliveries.length],
      ['delivered', deliveries.filter(({ status }) => status === 'delivered').length],
      ['failed', deliveries.filter(({ status }) => status === 'failed').length],
      ['given up', deliveries.filter(({ status, tries }) => status === 'failed' && tries === 26).length],
      ['redeliveries', deliveries.reduce((sum, { redeliveries }) => sum + redeliveries, 0)],
      ['recoveries', this.#recoveries_requested],
      ...this.posts.figures(),
    ]
  }

  /** Called after each commit, with the items before it. */
  committed(process: Process, writes: readonly Write[], before: readonly (Item | undefined)[]): void {
    this.#checkAttempts(process, writes)
    for (const [index, write] of writes.entries()) {
      if ('check' in write) continue
      const item = 'put' in write ? write.put : undefined
      const [kind, , id = ''] = keyOf(write).pk.split('#')
      const { sk } = keyOf(write)
      if (kind === 'event') this.#event(id, sk, item)
      if (kind === 'webhook') this.#webhook(process, id, item)
      if (kind === 'payment' && item) this.payments.set(id, (item as unknown as Payment).webhooks)
      if (kind === 'delivery' && !item) this.#invariants.broken('deliveries_kept', `${id} ${sk} is deleted`)
      else if (kind === 'delivery' && sk === 'delivery')
        this.#delivery(process, id, item as unknown as Delivery, before[index])
    }
  }

  #checkAttempts(process: Process, writes: readonly Write[]): void {
    for (const write of writes) {
      if (!('put' in write) || !write.put.sk.startsWith('attempt#')) continue
      const { pk, sk } = write.put
      const has_delivery = writes.some((other) => keyOf(other).pk === pk && keyOf(other).sk === 'delivery')
      this.#invariants.check('recorded_with_delivery', has_delivery, () => `${pk} ${sk} is recorded alone`)
      this.posts.recorded(process, write.put as unknown as Parameters<Posts['recorded']>[1])
    }
  }

  /** Checks a POST, and returns its number. `lease` is the lease that the worker believes it holds. */
  posted(process: Process, request: PostRequest, lease: HeldLease | undefined): number {
    const serial = this.posts.next
    const model = lease && this.deliveries.get(lease.delivery)
    if (!model) {
      this.#invariants.broken('post_under_lease', `${process.name} posts without a lease`)
      return serial
    }
    this.#invariants.check(
      'post_under_lease',
      process.hits > lease.hits || model.holder === process,
      () => `${process.name} posts ${model.id}, held by ${model.holder?.name}`,
    )
    this.posts.made(process, lease, request, this.events.get(model.event)!.event)
    const is_current = this.#urlsOf(model, process.began_at).includes(request.url)
    this.#invariants.check('post_to_current_url', is_current, () => `${model.id} is posted to ${request.url}`)
    return serial
  }

  /** Whether a webhook subscribed to an event at every moment, or at some moment, from the event until `until`. */
  isSubscribed(webhook: string, { event, at }: EmittedEvent, until: number, when: 'every' | 'some'): boolean {
    const states = this.webhooks.get(webhook)!
    const during = states.filter((state, index) => state.at <= until && (states[index + 1]?.at ?? until) >= at)
    if (when === 'every' && states[0]!.at >= at) return false
    if (creationTimeOf(webhook) > creationTimeOf(event.id)) return false
    return during.length > 0 && during[when](({ webhook }) => webhook !== null && subscribes(webhook, event))
  }

  #event(id: string, sk: string, item: Item | undefined): void {
    const { now } = this.#world
    if (sk === 'event' && item) {
      const { type, about, created_at } = item as unknown as Event
      const event = { id, version: 1, type, about, created_at, data: null }
      this.events.set(id, { event, at: now, fanned_out_at: Number.POSITIVE_INFINITY })
    }
    if (sk === 'outbox' && !item) this.events.get(id)!.fanned_out_at = now
  }

  #webhook(process: Process, id: string, item: Item | undefined): void {
    const { now } = this.#world
    const states = this.webhooks.get(id) ?? []
    this.webhooks.set(id, states)
    const webhook = item ? (item as unknown as Webhook) : null
    const before = states.at(-1)?.webhook?.recovery
    states.push({ at: now, webhook })
    const recovery = webhook?.recovery
    if (recovery && process.kind === 'merchant' && recovery.next === null && recovery.due_at !== before?.due_at) {
      const failed = [...this.deliveries.values()].filter(
        (model) => model.receiver === id && hasFailed(model, recovery.since),
      )
      this.#recoveries.set(id, { at: now, failed })
      this.#recoveries_requested++
    }
    if (webhook && before && !recovery) this.#checkRecovered(id)
  }

  /** Checks, when a recovery ends, that each of its deliveries was redelivered or is no longer failed. */
  #checkRecovered(webhook: string): void {
    const { at, failed } = this.#recoveries.get(webhook)!
    for (const { id, failed_at, redelivered_at } of failed) {
      const is_recovered = !failed_at || redelivered_at >= at
      this.#invariants.check('recovery_complete', is_recovered, () => `${id} to ${webhook} is not delivered again`)
    }
  }

  #delivery(process: Process, id: string, after: Delivery, before: Item | undefined): void {
    const { now, is_calm } = this.#world
    const model = this.deliveries.get(id)
    if (!before || !model) {
      this.#created(id, after)
      return
    }
    const attempt = this.posts.attempt(id, model.made)
    if (process.kind !== 'deliver') model.redelivered(after, now)
    else if (after.attempts_made !== model.made && attempt)
      model.recorded(after, attempt, process, now, is_calm && process.hits === 0)
    else model.leased(after, process, now)
  }

  #created(id: string, delivery: Delivery): void {
    const model = new DeliveryModel({ ...delivery, id }, this.#invariants)
    this.deliveries.set(id, model)
    const { event, receiver } = model
    const name = `${event} ${receiver}`
    const is_first = !this.#fanned_out.has(name)
    this.#invariants.check(
      'one_delivery_per_receiver',
      is_first,
      () => `${id} of ${event} to ${receiver} is another one`,
    )
    this.#fanned_out.add(name)
    const emitted = this.events.get(event)!
    const is_subscribed =
      delivery.webhook === null
        ? this.payments
            .get(emitted.event.about.id)
            ?.[delivery.entry!]?.events.some((type) => type === emitted.event.type)
        : this.isSubscribed(delivery.webhook, emitted, this.#world.now, 'some')
    this.#invariants.check('only_subscribed_receivers', is_subscribed === true, () => `${id} goes to ${receiver}`)
  }

  /** The URLs that a receiver had since that time. */
  #urlsOf({ event, receiver }: DeliveryModel, since: number): string[] {
    const { type, about } = this.events.get(event)!.event
    if (receiver.startsWith('entry '))
      return [this.payments.get(about.id)![Number(receiver.slice('entry '.length))]!.url]
    const states = this.webhooks.get(receiver)!
    return states.flatMap(({ webhook }, index) => {
      const is_past = (states[index + 1]?.at ?? Number.POSITIVE_INFINITY) < since
      return webhook && !is_past && (webhook.active || type === 'ping') ? [webhook.url] : []
    })
  }
}

const hasFailed = ({ failed_at }: DeliveryModel, since: string): boolean => failed_at !== null && failed_at >= since

const subscribes = ({ id, active, event_list }: Webhook, { type, about }: Event): boolean =>
  type === 'ping' ? about.id === id : active && event_list.some((wanted) => wanted === type)
