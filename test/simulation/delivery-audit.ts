import { keyOf } from '#infra/local/dynamodb-limits.ts'
import type { Delivery } from '#shared/domain/delivery.ts'
import type { Event } from '#shared/domain/event.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Payment } from '#shared/domain/payment.ts'
import type { Webhook } from '#shared/domain/webhook.ts'
import type { Item, Write } from '#shared/platform/ports.ts'
import type { PostRequest } from '#shared/webhooks/guarded-post.ts'
import { type Hold, Posts } from './delivery-posts.ts'
import { Story } from './delivery-story.ts'
import type { Process, World } from './delivery-world.ts'

/** An event, when it was committed, and when its outbox row went. */
interface Told {
  readonly event: Event
  readonly at: number
  told_at: number
}

/** A webhook from a commit on; null: it was deleted. */
interface State {
  readonly at: number
  readonly webhook: Webhook | null
}

/** Watches what is committed and what is POSTed, and keeps the first thing that is wrong. */
export class Audit {
  wrong: string | undefined
  readonly stories = new Map<string, Story>()
  readonly events = new Map<string, Told>()
  readonly webhooks = new Map<string, State[]>()
  readonly payments = new Map<string, Payment['webhooks']>()
  readonly posts = new Posts()
  readonly #world: World
  /** By webhook when the last recovery was asked for, and what had failed then. */
  readonly #recoveries = new Map<string, { readonly at: number; readonly failed: readonly Story[] }>()
  #recoveries_asked = 0
  readonly #receivers = new Set<string>()

  constructor(world: World) {
    this.#world = world
  }

  complain(text: string | undefined): void {
    if (text) this.wrong ??= `${new Date(this.#world.now).toISOString()} ${text}`
  }

  /** What a history came to. */
  figures(): [string, number][] {
    const stories = [...this.stories.values()]
    return [
      ['events', this.events.size],
      ['deliveries', stories.length],
      ['delivered', stories.filter(({ status }) => status === 'delivered').length],
      ['failed', stories.filter(({ status }) => status === 'failed').length],
      ['given up', stories.filter(({ status, tries }) => status === 'failed' && tries === 26).length],
      ['asked for anew', stories.reduce((sum, { redeliveries }) => sum + redeliveries, 0)],
      ['recoveries', this.#recoveries_asked],
      ...this.posts.figures(),
    ]
  }

  /** To be told of each commit with the items as they were before it. */
  committed(process: Process, writes: readonly Write[], before: readonly (Item | undefined)[]): void {
    for (const write of writes)
      if ('put' in write && write.put.sk.startsWith('attempt#'))
        this.complain(this.posts.recorded(process, write.put as unknown as Parameters<Posts['recorded']>[1]))
    writes.forEach((write, index) => {
      if ('check' in write) return
      const item = 'put' in write ? write.put : undefined
      const [kind, , id = ''] = keyOf(write).pk.split('#')
      const { sk } = keyOf(write)
      if (kind === 'event') this.#event(id, sk, item)
      if (kind === 'webhook') this.#webhook(process, id, item)
      if (kind === 'payment' && item) this.payments.set(id, (item as unknown as Payment).webhooks)
      if (kind === 'delivery' && !item) this.complain(`of delivery ${id} ${sk} is erased`)
      else if (kind === 'delivery' && sk === 'delivery')
        this.#delivery(process, id, item as unknown as Delivery, before[index])
    })
  }

  /** A POST goes out; answers its number. */
  posted(process: Process, request: PostRequest, hold: Hold | undefined): number {
    const serial = this.posts.next
    const story = hold && this.stories.get(hold.delivery)
    if (!story) {
      this.complain(`${process.name} posts what it does not hold`)
      return serial
    }
    this.complain(this.posts.made(process, hold, request, this.events.get(story.event)!.event))
    const { delivery, hits } = hold
    if (!this.#urlsOf(story, process.began_at).includes(request.url))
      this.complain(`delivery ${delivery} goes to ${request.url}`)
    if (process.hits === hits && story.status !== 'pending')
      this.complain(`delivery ${delivery} is posted although it is ${story.status}`)
    return serial
  }

  /** Whether the webhook wanted the event, at every moment of a time or at one at least. */
  wanted(webhook: string, { event, at }: Told, until: number, how: 'every' | 'some'): boolean {
    const states = this.webhooks.get(webhook)!
    const during = states.filter((state, index) => state.at <= until && (states[index + 1]?.at ?? until) >= at)
    if (how === 'every' && states[0]!.at >= at) return false
    if (creationTimeOf(webhook) > creationTimeOf(event.id)) return false
    return during.length > 0 && during[how](({ webhook }) => webhook !== null && asksFor(webhook, event))
  }

  #event(id: string, sk: string, item: Item | undefined): void {
    const { now } = this.#world
    if (sk === 'event' && item) {
      const { type, about, created_at } = item as unknown as Event
      const event = { id, version: 1, type, about, created_at, data: null }
      this.events.set(id, { event, at: now, told_at: Number.POSITIVE_INFINITY })
    }
    if (sk === 'outbox' && !item) this.events.get(id)!.told_at = now
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
      const failed = [...this.stories.values()].filter(
        (story) => story.receiver === id && hasFailed(story, recovery.since),
      )
      this.#recoveries.set(id, { at: now, failed })
      this.#recoveries_asked++
    }
    if (webhook && before && !recovery) this.#recovered(id)
  }

  /** All that had failed when a recovery was asked for was asked for anew, or delivered, when it ends. */
  #recovered(webhook: string): void {
    const { at, failed } = this.#recoveries.get(webhook)!
    for (const { failed_at, redelivered_at, event } of failed)
      if (failed_at && redelivered_at < at) this.complain(`the delivery of ${event} to ${webhook} is not recovered`)
  }

  #delivery(process: Process, id: string, after: Delivery, before: Item | undefined): void {
    const { now } = this.#world
    const story = this.stories.get(id)
    if (!before || !story) {
      this.#created(id, after)
      return
    }
    const row = this.posts.row(id, story.made)
    const wrong =
      process.kind !== 'deliver'
        ? story.redelivered(after, now)
        : after.attempts_made !== story.made && row
          ? story.recorded(after, row, now, this.#world.is_calm && process.hits === 0)
          : story.leased(after, now)
    if (after.version !== before.version + 1) this.complain(`delivery ${id} is overwritten unseen`)
    if (wrong) this.complain(`delivery ${id} ${wrong}`)
  }

  #created(id: string, delivery: Delivery): void {
    const { now } = this.#world
    const story = new Story(delivery)
    this.stories.set(id, story)
    const name = `${story.event} ${story.receiver}`
    if (this.#receivers.has(name)) this.complain(`${story.receiver} is told twice of ${story.event}`)
    this.#receivers.add(name)
    const told = this.events.get(story.event)!
    const is_wanted =
      delivery.webhook === null
        ? this.payments.get(told.event.about.id)?.[delivery.entry!]?.events.some((type) => type === told.event.type)
        : this.wanted(delivery.webhook, told, now, 'some')
    if (!is_wanted) this.complain(`delivery ${id} is to ${story.receiver}, who never wanted it`)
  }

  /** Where a delivery may go that a worker reads the receiver of since then. */
  #urlsOf({ event, receiver }: Story, since: number): string[] {
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

const hasFailed = ({ failed_at }: Story, since: string): boolean => failed_at !== null && failed_at >= since

/** Whether a webhook gets an event as it is. */
export const asksFor = ({ id, active, event_list }: Webhook, { type, about }: Event): boolean =>
  type === 'ping' ? about.id === id : active && event_list.some((wanted) => wanted === type)
