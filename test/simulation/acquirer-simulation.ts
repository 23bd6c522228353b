import { acquirers, reportsOf } from '#shared/acquirer/acquirers.ts'
import { idOf } from '#shared/domain/ids.ts'
import { pollEvents, startPolling } from '#shared/notifications/poll-events.ts'
import { processNotification } from '#shared/notifications/process-notification.ts'
import { receiveStripe } from '#shared/notifications/receive-stripe.ts'
import { expirePayment } from '#shared/payments/expire-payment.ts'
import { followPayment } from '#shared/payments/follow-payment.ts'
import { resolveAttempt } from '#shared/payments/resolve-attempt.ts'
import { lookUpReturned } from '#shared/payments/return-from-provider.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import { type BatchResult, type QueueRecord, workThrough } from '#shared/scheduling/worker-batch.ts'
import { attemptKey, eventPollKey, recordKey } from '#shared/store/keys.ts'
import { payments } from '#shared/store/payments.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { serviceWork } from '#shared/store/service-work.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { captureSubscription } from '#shared/subscriptions/capture-subscription.ts'
import { resumeOccurrence } from '#shared/subscriptions/resume-occurrence.ts'
import { StripeEmulator } from '#test/fixtures/stripe/emulator.ts'
import type { PaymentIntent, StoredObject } from '#test/fixtures/stripe/objects.ts'
import { PayingCustomers } from './acquirer-customers.ts'
import { checkEnd, isStoredIn, missingEvents } from './acquirer-end-checks.ts'
import { type AcquirerInvariant, acquirer_invariants } from './acquirer-invariants.ts'
import { liveMerchant, ShopServer } from './acquirer-merchant.ts'
import { AcquirerModel } from './acquirer-model.ts'
import type { AcquirerMutant } from './acquirer-mutants.ts'
import { API_KEY, callers, Network, prepareSdk } from './acquirer-network.ts'
import { acquirerPlatform, type SharedByPayments } from './acquirer-platform.ts'
import { History, type SimulationOptions } from './history.ts'
import type { Violation } from './invariants.ts'
import { DAY, HOUR, MINUTE, type Process, type ProcessKind, SECOND, World } from './world.ts'

/** How long requests, faults and customers go on. */
const HORIZON = 8 * DAY

/**
 * How long after the last fault all work is done: the schedule of inquiries, and the end of the holds and of the tries
 * of subscriptions.
 */
const SETTLED_AFTER = 12 * DAY

/** How often the list of events is read. */
const POLL = 10 * MINUTE

/** How long an unreported payment may take until the service knows it: six hours between look-ups, and some time. */
const LOOKED_UP_WITHIN = 7 * HOUR

type Act = (work: UnitOfWork, message: Message) => Promise<void>

let is_prepared: Promise<void> | undefined

/** Lets the mutant of the running history replace the acquirer, and the seed decide about ids. */
async function prepare(): Promise<void> {
  await prepareSdk()
  const make = acquirers.stripe!
  acquirers.stripe = (work, mode) => {
    const acquirer = make(work, mode)
    const caller = callers.getStore()
    const mutant = caller && histories.get(caller.network)!.mutant
    return mutant?.acquirer?.(acquirer, () => work.now()) ?? acquirer
  }
  const { newId } = UnitOfWork.prototype
  UnitOfWork.prototype.newId = function (kind) {
    const caller = callers.getStore()
    return caller ? idOf(kind, this.now(), caller.world.entropy()) : newId.call(this, kind)
  }
}

const histories = new WeakMap<Network, AcquirerHistory>()

/**
 * Simulates the live payments of a merchant at a provider: requests, customers, notifications, sweeps and workers, with
 * faults for eight days and then without, until all work is done.
 */
export async function simulateAcquirer(
  seed: number,
  { mutant = {}, tally = new Map(), trace }: SimulationOptions & { readonly mutant?: AcquirerMutant } = {},
): Promise<Violation | undefined> {
  is_prepared ??= prepare()
  await is_prepared
  const history = new AcquirerHistory(new World(seed, trace), mutant)
  await history.play()
  history.addTo(tally)
  // Other timers of this process, such as the time limit of a test, run between two histories.
  await new Promise((resolve) => setImmediate(resolve))
  return history.invariants.violation
}

class AcquirerHistory extends History<AcquirerInvariant> {
  readonly mutant: AcquirerMutant
  readonly #model: AcquirerModel
  readonly #emulator: StripeEmulator
  readonly #network: Network
  readonly #customers: PayingCustomers
  readonly #shop: ShopServer
  readonly #shared: SharedByPayments
  #is_delivery_planned = false
  #is_poll_planned = false

  constructor(world: World, mutant: AcquirerMutant) {
    super(world, acquirer_invariants, mutant)
    this.mutant = mutant
    const clock = { now: () => world.now, wait: () => Promise.reject(new Error('the emulator never waits')) }
    this.#emulator = new StripeEmulator({ clock, key: API_KEY })
    const { account, notifications } = this.#emulator
    this.#model = new AcquirerModel(this.invariants, () => account)
    const witness = {
      onMismatch: (path: string) => this.invariants.broken('same_request_per_key', `another request to ${path}`),
      // The bank of a customer can decline the repetition of a charge that arrives late.
      onLate: (path: string) => path.endsWith('/confirm') && world.chance(0.7) && this.#customers.declineNext(),
    }
    this.#network = new Network(world, this.#emulator, witness, mutant)
    histories.set(this.#network, this)
    this.#shared = { ...this.shared, model: this.#model, notification_secrets: notifications.secrets }
    this.#customers = new PayingCustomers(world, this.#model, account, (payment) => this.#comesBack(payment))
    this.#shop = new ShopServer(world, this.#model, (run) =>
      this.spawn('merchant', (process) => run(process, this.platform(process))),
    )
    const emit = account.emit.bind(account)
    account.emit = (type, object) => {
      emit(type, object)
      this.#emitted(type, object)
    }
    notifications.receiver = (body, headers) => this.#receive(body, headers)
  }

  override figures(): [string, number][] {
    const all = [...this.#model.payments.values()]
    return [
      ['payments', all.length],
      ...['captured', 'refunded', 'failed', 'cancelled', 'expired'].map((status): [string, number] => [
        status,
        all.filter((payment) => payment.status === status).length,
      ]),
      ['customers paid', [...this.#emulator.account.events.values()].filter(isPaidLater).length],
    ]
  }

  override async play(): Promise<void> {
    const { world } = this
    await this.#begin()
    const ends_at = world.now + HORIZON
    const shop = this.#shop
    for (let count = 4 + world.below(5); count > 0; count--) this.#planAround(() => shop.charge())
    this.plan(world.below(3), HORIZON, () => shop.createSession())
    this.plan(world.below(5), HORIZON, () => shop.paySession())
    this.plan(world.below(2), HORIZON, () => shop.subscribe())
    this.plan(world.chance(0.2) ? 1 : 0, HORIZON, () => shop.unsubscribe())
    this.plan(world.below(4), HORIZON, () => this.#customers.declineNext())
    this.plan(world.below(4), HORIZON, () => this.#changeNotifications())
    this.plan(world.chance(0.3) ? 1 : 0, HORIZON, () => this.#goDown())
    await this.run(ends_at)
    world.is_calm = true
    this.#network.down_until = 0
    for (let count = world.below(3); count > 0; count--) this.#shop.reserve()
    await this.run(world.now + HOUR)
    await this.#payUnreported()
    await this.run(ends_at + SETTLED_AFTER)
    // Processes that have just begun get time to end.
    for (let minutes = 0; minutes < 30 && world.running.size > 0; minutes++) await this.run(world.now + MINUTE)
    const { invariants } = this
    const { account } = this.#emulator
    if (!invariants.violation) checkEnd({ invariants, model: this.#model, account, shared: this.#shared })
  }

  protected override platform(process: Process): Platform {
    return acquirerPlatform(this.#shared, process)
  }

  protected override spawn(kind: ProcessKind, run: (process: Process) => Promise<void>): void {
    const { world } = this
    super.spawn(kind, (process) => callers.run({ process, world, network: this.#network }, () => run(process)))
  }

  protected override handle(process: Process, records: QueueRecord[]): Promise<BatchResult> {
    return workThrough(this.platform(process), records, (work, message) =>
      retryOnConflict(work, (progress) => {
        if (message.kind === 'subscription') return captureSubscription(work, message, progress)
        return this.#acts[message.kind]!(work, message)
      }),
    )
  }

  /** The due work of this simulation, by kind, as the workers of captures and chores do it. */
  readonly #acts: Readonly<Record<string, Act>> = {
    occurrence: (work, message) => resolveAttempt(work, message, resumeOccurrence),
    attempt: (work, message) => resolveAttempt(work, message),
    payment: (work, message) => (this.mutant.expire ?? expirePayment)(work, message),
    provider_events: (work, message) => pollEvents(work, message, reportsOf(work.platform)),
    notification: (work, message) => {
      const reports = reportsOf(work.platform)
      const { mutant } = this
      return processNotification(work, message, {
        reports: mutant.reports?.(reports, this.#emulator) ?? reports,
        follow: mutant.follow ?? followPayment,
      })
    },
  }

  /** Creates the merchant and a customer, and begins to poll. */
  async #begin(): Promise<void> {
    const { world } = this
    this.merchant = idOf('merchant', world.now, world.entropy())
    const account = idOf('account', world.now, world.entropy())
    await this.shared.memory.write(liveMerchant(this.merchant, account).map((put) => ({ put })))
    world.is_calm = true
    this.spawn('chores', (process) => startPolling(this.platform(process), 'stripe'))
    if (world.chance(0.6)) this.#shop.createCustomer()
    await this.run(world.now + 10 * SECOND)
    world.is_calm = false
    this.#changeNotifications()
  }

  /** Plans an act and, often soon after it, what a merchant does with a payment. */
  #planAround(act: () => void): void {
    const { world } = this
    const at = world.below(HORIZON)
    world.after(at, act)
    for (let count = world.below(4); count > 0; count--) {
      const later = world.below(world.pick([SECOND, 10 * SECOND, 10 * MINUTE, 5 * HOUR, 3 * DAY]))
      const next = world.pick(['capture', 'capture', 'refund', 'refund', 'refund', 'cancel'] as const)
      world.after(at + later, () => this.#shop[next]())
    }
  }

  #changeNotifications(): void {
    const { world } = this
    Object.assign(this.#emulator.notifications.mode, {
      is_lost: world.chance(0.3),
      is_twice: world.chance(0.3),
      order: world.pick(['sent', 'reversed', 'shuffled']),
      signed_with: world.pick(['new', 'new', 'new', 'both', 'wrong', 'none']),
    })
  }

  #goDown(): void {
    const { world } = this
    this.#network.down_until = world.now + world.below(world.pick([10 * MINUTE, 5 * HOUR, 30 * HOUR]))
  }

  /** Lets customers pay while nothing is reported, and checks that the look-ups find what they paid. */
  async #payUnreported(): Promise<void> {
    const { world } = this
    const { mode } = this.#emulator.notifications
    const before = { ...mode }
    mode.is_lost = true
    this.#network.hides_events = true
    const paid = this.#customers.waiting
      .filter(({ metadata }) => this.#isLookedUp(metadata.payment ?? '') && world.chance(0.7))
      .filter((intent) => this.#customers.pays(intent))
    await this.run(world.now + LOOKED_UP_WITHIN)
    for (const { status, metadata } of paid) {
      const payment = this.#model.payments.get(metadata.payment!)!
      const right = status === 'succeeded' ? ['captured', 'refunded'] : ['authorized']
      world.happened('paid unreported')
      const seen = () => `${payment.id} is ${payment.status}, and ${status} at the provider`
      this.invariants.check('paid_in_time', right.includes(payment.status), seen)
    }
    Object.assign(mode, before, { signed_with: 'new', is_lost: false })
    this.#network.hides_events = false
    this.#planPoll()
  }

  /** Whether only a look-up can find what the customer pays: no deadline is near, and no work is overdue. */
  #isLookedUp(id: string): boolean {
    const { world, shared } = this
    const payment = this.#model.payments.get(id)
    if (!payment || payment.in_flight.length > 0) return false
    const keys = [recordKey('payment', this.merchant, id), attemptKey(this.merchant, id, 1)]
    const is_overdue = keys.some((key) => Date.parse(shared.memory.at(key)?.due_at ?? '') <= world.now)
    return !is_overdue && Date.parse(payment.payment_deadline) > world.now + LOOKED_UP_WITHIN + HOUR
  }

  #emitted(type: string, object: StoredObject): void {
    this.#model.emitted(type, object)
    if (type === 'payment_intent.requires_action' && !this.world.is_calm) this.#customers.sees(object as PaymentIntent)
    this.#planDelivery()
    this.#planPoll()
  }

  /** Plans the delivery of the notifications that wait. The provider repeats those that are not accepted. */
  #planDelivery(): void {
    if (this.#is_delivery_planned) return
    this.#is_delivery_planned = true
    const { world } = this
    world.after(world.below(world.pick([SECOND, SECOND, MINUTE, HOUR])), () => {
      this.#is_delivery_planned = false
      const { notifications } = this.#emulator
      const sent = this.#emulator.deliver()
      sent.then(() => {
        const is_refused = notifications.mode.signed_with === 'wrong' || notifications.mode.signed_with === 'none'
        if (!is_refused && [...this.#emulator.account.events.values()].some(isPending)) this.#planDelivery()
      })
    })
  }

  /** Receives a notification, as the function of its route does. Returns the status of the response. */
  #receive(body: string, headers: Readonly<Record<string, string>>): Promise<number> {
    return new Promise((answer) => {
      this.world.after(MINUTE, () => answer(0))
      this.spawn('merchant', async (process) => {
        const signed = { body: new TextEncoder().encode(body), header: headers['stripe-signature'] }
        try {
          await receiveStripe(this.platform(process), signed)
          answer(200)
        } catch (error) {
          answer(500)
          throw error
        }
      })
    })
  }

  #planPoll(): void {
    if (this.#is_poll_planned || this.#network.hides_events) return
    this.#is_poll_planned = true
    this.world.after(POLL, () => {
      this.#is_poll_planned = false
      if (!this.#isBehind()) return
      this.#planPoll()
      const key = eventPollKey('stripe')
      const poll_at = this.shared.memory.at(key)?.poll_at
      this.spawn('chores', async (process) => {
        const platform = this.platform(process)
        const message = { ...key, kind: 'provider_events', due_at: String(poll_at) }
        await pollEvents(serviceWork(platform), message, reportsOf(platform))
      })
    })
  }

  #isBehind(): boolean {
    return missingEvents(this.#emulator.account, isStoredIn(this.shared.memory)).length > 0
  }

  /** A customer comes back from the provider to the page of the payment. */
  #comesBack(payment: string): void {
    this.request(async (work) => {
      await retryOnConflict(work, async () => {
        await lookUpReturned(work, await work.get(payments, payment))
      })
    })
  }

  /** Starts a request for the live merchant. */
  protected override request(act: (work: UnitOfWork) => Promise<void>): void {
    this.spawn('merchant', (process) =>
      act(new UnitOfWork({ platform: this.platform(process), merchant: this.merchant, mode: 'live' })),
    )
  }
}

const isPending = ({ pending_webhooks }: { readonly pending_webhooks: number }): boolean => pending_webhooks > 0

/** Whether an event says that a customer has paid without a request of the service. */
const isPaidLater = (event: { readonly type: string; readonly request: { readonly id: string | null } | null }) =>
  event.type === 'payment_intent.succeeded' && event.request?.id === null
