import type { Customer } from '#shared/domain/customer.ts'
import { redelivered } from '#shared/domain/delivery.ts'
import type { Payment } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { EventListType, Webhook } from '#shared/domain/webhook.ts'
import { changed, removed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { deliveries } from '#shared/store/deliveries.ts'
import { payments } from '#shared/store/payments.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { webhooks } from '#shared/store/webhooks.ts'
import { refuseUnreachable } from '#shared/webhooks/manage.ts'
import { paymentRecord } from '#test/fixtures/records.ts'
import type { Audit } from './delivery-audit.ts'
import { HOUR, type World } from './world.ts'

const TYPES: readonly EventListType[] = [
  'customer.created',
  'customer.updated',
  'customer.deleted',
  'payment.captured',
  'payment.updated',
]

/** The requests of a merchant. Each resolves after its commit, or throws the error of the commit. */
export class Merchant {
  readonly #world: World
  readonly #audit: Audit
  readonly #urls: readonly string[]
  readonly #customers: string[] = []

  constructor(world: World, audit: Audit, urls: readonly string[]) {
    this.#world = world
    this.#audit = audit
    this.#urls = urls
  }

  /** Makes a change that emits an event. */
  emit(work: UnitOfWork): Promise<void> {
    const kind = this.#world.below(10)
    if (kind < 5) return this.#createCustomer(work)
    if (kind < 8) return this.#changeCustomer(work)
    return this.#pay(work)
  }

  /** Requests a redelivery or a recovery without waiting for the outcome of a delivery in flight. */
  insist(work: UnitOfWork, delivery: string): Promise<void> {
    const receiver = this.#audit.deliveries.get(delivery)?.receiver ?? ''
    return this.#world.chance(0.5) ? this.#redeliver(work, delivery) : this.#recover(work, receiver)
  }

  /** Changes a webhook, or requests a redelivery, a recovery or a ping. */
  manage(work: UnitOfWork): Promise<void> {
    const kind = this.#world.below(10)
    if (kind < 4) return this.#redeliver(work, this.#some([...this.#audit.deliveries.keys()]))
    if (kind < 6) return this.#changeWebhook(work)
    if (kind < 8) return this.#recover(work, this.#some([...this.#audit.webhooks.keys()]))
    if (kind < 9) return this.createWebhook(work, { ping: true })
    return this.#world.chance(0.5) ? this.#ping(work) : this.#deleteWebhook(work)
  }

  createWebhook(work: UnitOfWork, { ping }: { ping: boolean }): Promise<void> {
    const world = this.#world
    const made: Webhook = {
      id: work.newId('webhook'),
      version: 0,
      url: world.pick(this.#urls),
      active: true,
      event_list: world.chance(0.8) ? TYPES : [world.pick(TYPES)],
      secret: null,
      recovery: null,
      created_at: timestamp(world.now),
    }
    return work.commit([changed(webhooks, made, ping ? ['ping'] : [])])
  }

  async #createCustomer(work: UnitOfWork): Promise<void> {
    const id = work.newId('customer')
    this.#customers.push(id)
    const made: Customer = {
      id,
      version: 0,
      email: null,
      currency: null,
      source: null,
      metadata: {},
      created_at: timestamp(this.#world.now),
      updated_at: timestamp(this.#world.now),
    }
    await work.commit([changed(customers, made, ['customer.created'])])
  }

  async #changeCustomer(work: UnitOfWork): Promise<void> {
    const found = await work.find(customers, this.#some(this.#customers))
    if (!found) return this.#createCustomer(work)
    const is_deleted = this.#world.chance(0.3)
    const change = is_deleted
      ? removed(customers, found, ['customer.deleted'])
      : changed(customers, { ...found, metadata: { version: found.version } }, ['customer.updated'])
    await work.commit([change])
  }

  /** A payment with webhooks of its own. Two of them can have the same URL. */
  async #pay(work: UnitOfWork): Promise<void> {
    const world = this.#world
    const own: Payment['webhooks'] = Array.from({ length: world.below(3) }, () => ({
      url: world.pick(this.#urls),
      events: world.chance(0.5) ? ['payment.captured', 'payment.updated'] : ['payment.captured'],
      secret_sealed: null,
    }))
    const made = paymentRecord({ id: work.newId('payment'), version: 0, webhooks: own })
    await work.commit([changed(payments, made, ['payment.captured', 'payment.updated'])])
  }

  async #redeliver(work: UnitOfWork, delivery: string): Promise<void> {
    const found = await work.find(deliveries, delivery)
    if (!found) return
    await refuseUnreachable(work, found)
    await work.commit([changed(deliveries, redelivered(found, work.now()))])
  }

  async #changeWebhook(work: UnitOfWork): Promise<void> {
    const world = this.#world
    const found = await this.#webhook(work)
    if (!found) return
    const next = world.chance(0.5)
      ? { ...found, active: !found.active }
      : { ...found, url: world.pick(this.#urls), event_list: world.chance(0.7) ? TYPES : [world.pick(TYPES)] }
    await work.commit([changed(webhooks, next)])
  }

  async #recover(work: UnitOfWork, webhook: string): Promise<void> {
    const found = await work.find(webhooks, webhook)
    if (!found) return
    const since = timestamp(this.#world.now - this.#world.below(this.#world.pick([HOUR, 1000 * HOUR])))
    const recovery = { since, next: null, due_at: timestamp(work.now()) }
    await work.commit([changed(webhooks, { ...found, recovery })])
  }

  async #ping(work: UnitOfWork): Promise<void> {
    const found = await this.#webhook(work)
    if (found) await work.commit([changed(webhooks, found, ['ping'])])
  }

  async #deleteWebhook(work: UnitOfWork): Promise<void> {
    const found = await this.#webhook(work)
    if (found) await work.commit([removed(webhooks, found)])
  }

  #webhook(work: UnitOfWork): Promise<Webhook | undefined> {
    return work.find(webhooks, this.#some([...this.#audit.webhooks.keys()]))
  }

  #some(ids: readonly string[]): string {
    return ids.length > 0 ? this.#world.pick(ids) : ''
  }
}
