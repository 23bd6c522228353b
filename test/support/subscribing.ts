import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { captureSubscription } from '#shared/charging/capture-subscription.ts'
import { endSubscription } from '#shared/charging/end-subscription.ts'
import { endSubscriptionsOf } from '#shared/charging/end-subscriptions-of.ts'
import { makeSubscription } from '#shared/charging/make-subscription.ts'
import { expireOverdue, resolveAttempt } from '#shared/charging/resolve.ts'
import { resumeOccurrence } from '#shared/charging/resume-occurrence.ts'
import { eraseDetails, storeDetails } from '#shared/charging/store-details.ts'
import type { Customer } from '#shared/domain/customer.ts'
import type { Outcome, Payment } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { type Item, type Message, PlatformUnavailable } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import { CreateSubscription } from '#shared/resources/subscription.ts'
import { workOn } from '#shared/store/batch.ts'
import { type Change, changed, removed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { kindOf } from '#shared/store/keys.ts'
import { recordOf } from '#shared/store/kind.ts'
import { payments } from '#shared/store/payments.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import type { Work, WorkOptions } from '#shared/store/work.ts'
import { CrashPoints } from './crash-points.ts'
import { cardDetails, openWorking, type Working } from './working.ts'

/** Sandbox cards by what they do. */
export const numbers = {
  good: '4111111111111111',
  other: '5555555555554444',
  declined: '4123111111111059',
  pays_once: '4123111111112008',
  needs_3d_secure: '4100000000000100',
} as const

/** What the acquirer does with whatever it is asked: answers, or is cut off before or after it has done it. */
export type AcquirerFate = 'answers' | 'cut_off_before' | 'cut_off_after'

type Act = (work: Work, message: Message) => Promise<void>
const acts: Readonly<Record<string, Act>> = {
  subscription: captureSubscription,
  occurrence: (work, message) => resolveAttempt(work, message, resumeOccurrence),
  attempt: resolveAttempt,
  payment: expireOverdue,
}

/** Subscriptions of a merchant on a platform whose table can be cut off and whose acquirer can be silent. */
export class Subscribing {
  /** Fails the calls of the work that is done through `platform`. */
  readonly points = new CrashPoints()
  readonly working: Working
  readonly platform: LocalPlatform
  acquirer: AcquirerFate = 'answers'
  /** Done once, just before the acquirer records the next order. */
  meanwhile: (() => Promise<unknown>) | undefined
  /** Done once, just before the next transaction is committed. */
  before_commit: (() => Promise<unknown>) | undefined

  static async open(): Promise<Subscribing> {
    return new Subscribing(await openWorking())
  }

  private constructor(working: Working) {
    this.working = working
    this.platform = this.points.around({ ...working.platform, table: this.#withAcquirer(working.platform.table) })
  }

  work(options: Partial<WorkOptions> = {}): Work {
    return this.working.work({ platform: this.platform, ...options })
  }

  now(): number {
    return this.platform.clock.now()
  }

  turnTo(at: string): void {
    this.platform.clock.turnTo(Date.parse(at))
  }

  /** Does as an endpoint does: decides and commits, from the start again when somebody was faster. */
  async request<A>(
    act: (work: Work) => Promise<{ readonly changes?: readonly Change[]; readonly answer: A }>,
    options?: Partial<WorkOptions>,
  ): Promise<A> {
    const work = this.work(options)
    return startingOver(work, async () => {
      const { changes = [], answer } = await act(work)
      await work.commit(changes)
      return answer
    })
  }

  async customer(number: string = numbers.good, fields: Partial<Customer> = {}): Promise<string> {
    return this.request(async (work) => {
      const id = work.newId('customer')
      const { source, changes } = await storeDetails(work, id, cardDetails(number))
      const at = timestamp(work.now())
      const email = 'taro@example.com'
      const record: Customer = {
        id,
        version: 0,
        email,
        currency: null,
        metadata: {},
        source,
        created_at: at,
        updated_at: at,
        ...fields,
      }
      return { changes: [changed(customers, record, ['customer.created']), ...changes], answer: id }
    })
  }

  /** Replaces the details that a customer pays with, or takes them away. */
  async pays(customer: string, details: string | PaymentDetails | null): Promise<void> {
    await this.request(async (work) => {
      const record = await work.get(customers, customer)
      const given = typeof details === 'string' ? cardDetails(details) : details
      const { source, changes } = given ? await storeDetails(work, customer, given) : await eraseDetails(work, customer)
      return {
        changes: [changed(customers, { ...record, source }, ['customer.updated']), ...changes],
        answer: undefined,
      }
    })
  }

  /** Changes what is known of a customer. */
  async update(customer: string, fields: Partial<Customer>): Promise<void> {
    await this.request(async (work) => {
      const record = { ...(await work.get(customers, customer)), ...fields }
      return { changes: [changed(customers, record, ['customer.updated'])], answer: undefined }
    })
  }

  subscribe(customer: string, fields: object = {}, options?: Partial<WorkOptions>): Promise<Subscription> {
    const request = parse(CreateSubscription, { customer, amount: 1000, currency: 'JPY', period: 'monthly', ...fields })
    return this.request((work) => makeSubscription(work, request), options)
  }

  end(subscription: string): Promise<Subscription> {
    return this.request(async (work) => {
      const { next, changes } = await endSubscription(work, await work.get(subscriptions, subscription))
      return { changes, answer: next }
    })
  }

  /** Deletes a customer, as its endpoint does. */
  async gone(customer: string): Promise<void> {
    await this.request(async (work) => {
      const before = await work.get(customers, customer)
      const { source, changes } = await eraseDetails(work, customer)
      const ended = await endSubscriptionsOf(work, before)
      const gone = removed(customers, { ...before, source }, ['customer.deleted'])
      return { changes: [gone, ...changes, ...ended], answer: undefined }
    })
  }

  /** The subscription as it is kept. */
  kept(id: string): Promise<Subscription> {
    return this.working.work().get(subscriptions, id)
  }

  /** The payments that were made for a subscription, failed ones too, in their order. */
  paymentsOf(id: string): Payment[] {
    return this.items('payment')
      .filter(
        ({ sk, occurrence }) =>
          sk === 'payment' && (occurrence as { subscription?: string } | null)?.subscription === id,
      )
      .map((item) => recordOf(payments, item))
      .sort((one, other) => (one.id < other.id ? -1 : 1))
  }

  payment(id: string): Promise<Payment> {
    return this.working.work().get(payments, id)
  }

  /** What the acquirer was asked for a subscription's charges, by interval and try: what came of it. */
  charges(id: string): Record<string, Outcome['result']> {
    const rows = this.items('sandbox').filter(({ pk }) => pk.includes(`#${id}-`))
    return Object.fromEntries(
      rows.map(({ pk, outcome }) => [pk.split(`${id}-`)[1]!, (outcome as unknown as Outcome).result] as const).sort(),
    )
  }

  /** What the acquirer was asked to give back of a payment. */
  voids(payment: string): Item[] {
    return this.items('sandbox').filter(({ pk, operation }) => pk.includes(`#${payment}-`) && operation === 'void')
  }

  /** The events that tell of a record, in their order. */
  told(id: string): string[] {
    return this.items('event')
      .filter(({ sk, about }) => sk === 'event' && (about as { id: string }).id === id)
      .sort((one, other) => (one.pk < other.pk ? -1 : 1))
      .map(({ type }) => type as string)
  }

  items(kind: string): Item[] {
    return [...this.working.platform.table.items()].filter(({ pk }) => pk.startsWith(`${kind}#`))
  }

  /** The message that the clock sends of a subscription as it is. */
  async message(id: string): Promise<Message> {
    const item = this.items('subscription').find(({ pk }) => pk.endsWith(id))!
    return messageOf(item)
  }

  /** Works on one message, on the platform that may fail. */
  async deliver(message: Message): Promise<void> {
    const work = await workOn(this.platform, message)
    await startingOver(work, () => acts[message.kind]!(work, message))
  }

  /** Turns the clock to `at` by way of everything that falls due with subscriptions and payments, and does it there. */
  async runUntil(at: string): Promise<void> {
    for (let rounds = 0; ; rounds++) {
      const [first] = [...this.working.platform.table.items()]
        .filter(({ due_shard, due_at }) => due_shard && kindOf(due_shard) in acts && due_at! <= at)
        .sort((one, other) => (one.due_at! < other.due_at! ? -1 : 1))
      if (!first) break
      if (rounds > 1_000) throw new Error(`${first.pk} is due again and again`)
      this.turnTo(first.due_at!)
      await this.deliver(messageOf(first))
    }
    this.turnTo(at)
  }

  close(): void {
    this.working.close()
  }

  #withAcquirer(table: LocalPlatform['table']): LocalPlatform['table'] {
    const isLedger = ({ pk }: { pk: string }) => pk.startsWith('sandbox#')
    const acquire = async <T>(act: () => Promise<T>): Promise<T> => {
      const { meanwhile } = this
      this.meanwhile = undefined
      await meanwhile?.()
      if (this.acquirer === 'cut_off_before') throw new PlatformUnavailable('the acquirer is silent')
      const answer = await act()
      if (this.acquirer === 'cut_off_after') throw new PlatformUnavailable('the acquirer is silent')
      return answer
    }
    const watched: Partial<typeof table> = {
      get: (keys) => (keys.some(isLedger) ? acquire(() => table.get(keys)) : table.get(keys)),
      write: async (writes, options) => {
        if (writes.some((write) => 'put' in write && isLedger(write.put)))
          return acquire(() => table.write(writes, options))
        const { before_commit } = this
        this.before_commit = undefined
        await before_commit?.()
        return table.write(writes, options)
      },
    }
    return new Proxy(table, {
      get(target, name) {
        const owner = name in watched ? watched : target
        const value: unknown = Reflect.get(owner, name, owner)
        return typeof value === 'function' ? value.bind(owner) : value
      },
    })
  }
}

const messageOf = ({ pk, sk, due_at, due_shard }: Item): Message => ({
  kind: kindOf(due_shard!),
  pk,
  sk,
  due_at: due_at!,
})
