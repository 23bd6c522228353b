import type { Attempt, Payment } from '#shared/domain/payment.ts'
import type { Item } from '#shared/platform/ports.ts'
import { card } from '#test/fixtures/api.ts'
import { type LocalRun, startLocally } from '#test/fixtures/local-run.ts'
import { booksOf, type PaymentBooks } from '#test/fixtures/stripe/books.ts'
import { type RunningStripe, startStripe } from '#test/fixtures/stripe/server.ts'
import { itemsIn } from './kill-rounds.ts'
import { differenceOf } from './provider-books.ts'
import { type KillStep, kill_moments, ProviderKiller } from './provider-killer.ts'
import { randomOf } from './random.ts'

const charging = ['POST /v1/payment_intents', 'POST /v1/payment_methods', 'POST /v1/payment_intents/:id/confirm']

/** The operations with their calls at the provider. Some need a payment that another one has made. */
const operations = [
  { name: 'charge', calls: charging },
  { name: 'hold', calls: charging },
  { name: 'capture', of: 'hold', calls: ['POST /v1/payment_intents/:id/capture'] },
  { name: 'refund', of: 'charge', calls: ['POST /v1/refunds'] },
  { name: 'cancel', of: 'hold', calls: ['GET /v1/payment_intents/:id', 'POST /v1/payment_intents/:id/cancel'] },
] as const

type Operation = (typeof operations)[number]

/** All steps of all operations. */
const steps: readonly (KillStep & { readonly operation: Operation })[] = operations.flatMap((operation) =>
  operation.calls.flatMap((call) => kill_moments.map((moment) => ({ operation, call, moment }))),
)

/** The number of rounds in which the service is killed once at every step. */
export const ROUNDS_OF_ALL_STEPS = 5

/** The result of the rounds. */
export interface LiveRounds {
  readonly kills: number
  /** The different steps at which the service was killed, and the steps that the operations have. */
  readonly killed_at: number
  readonly steps: number
  readonly payments: number
  /** The requests that were repeated after a kill, and answered with another status than 200 and 504. */
  readonly refused: readonly string[]
  /** Everything that is wrong, one sentence each. */
  readonly wrong: readonly string[]
}

/**
 * Kills the service during live payments and starts it again on the same folder. A step is a moment of a call to the
 * provider. Five rounds go through all steps of all operations. After a kill, the client repeats its request, or only
 * the sweep works, in turns. At the end, the books of the service are compared with those of the emulator, which is a
 * server in this process.
 */
export async function liveKillRounds(data_dir: string, rounds: number, seed: number): Promise<LiveRounds> {
  const random = randomOf(seed)
  const service = await LiveService.open(data_dir)
  const killer = new ProviderKiller(service.stripe, random)
  await checkCalls(service, killer)
  const kills = rounds * Math.ceil(steps.length / ROUNDS_OF_ALL_STEPS)
  const first = Math.floor(random() * 2)
  const killed_at = new Set<string>()
  const refused: string[] = []
  for (let kill = 0; kill < kills; kill++) {
    const { operation, ...step } = steps[kill % steps.length]!
    const name = `${operation.name}: ${step.moment} ${step.call}`
    const request = await prepared(service, operation, `kill ${kill}`)
    const ended = killer.killAt(service.run, step)
    await Promise.race([service.run.send(...request), ended])
    if (await killer.killNow()) killed_at.add(name)
    await service.start()
    const pass = Math.floor(kill / steps.length)
    if ((kill + pass + first) % 2 === 0) {
      const reply = await service.run.send(...request)
      // On a slow machine, the time for the provider's answer can end first.
      if (reply?.status !== 200 && reply?.status !== 504) refused.push(`${name}: ${reply?.text}`)
    }
    await service.advance(70)
  }
  await service.advance(4 * 3_600)
  const books = await service.close()
  const items = itemsIn(data_dir)
  const payments = items.filter(({ sk }) => sk === 'payment').length
  const counts = { kills, killed_at: killed_at.size, steps: steps.length, payments }
  return { ...counts, refused, wrong: wrongIn(items, books) }
}

/** The service in a child process, and the emulator of its provider in this process, on the same clock. */
class LiveService {
  readonly stripe: RunningStripe
  readonly #data_dir: string
  readonly #clock: { ahead_ms: number }
  #run: LocalRun | undefined
  #key = ''

  private constructor(data_dir: string, stripe: RunningStripe, clock: { ahead_ms: number }) {
    this.stripe = stripe
    this.#data_dir = data_dir
    this.#clock = clock
  }

  /** Starts both on a new folder, and creates a merchant. */
  static async open(data_dir: string): Promise<LiveService> {
    const clock = { ahead_ms: 0 }
    const now = () => Date.now() + clock.ahead_ms
    const wait = () => Promise.reject(new Error('nothing waits'))
    const service = new LiveService(data_dir, await startStripe({ clock: { now, wait } }), clock)
    await service.start()
    service.#key = (await service.run.send('POST /_local/merchants', { json: {} }))!.body.live.secret_key
    return service
  }

  get run(): LocalRun {
    return this.#run!
  }

  /** The live key of the merchant. */
  get key(): string {
    return this.#key
  }

  /** Starts the service again after it was killed. */
  async start(): Promise<void> {
    const { url, emulator } = this.stripe
    const environment = { LOG_LEVEL: 'info', ACQUIRER: 'stripe', STRIPE_HOST: url, STRIPE_KEY: emulator.key }
    this.#run = await startLocally(this.#data_dir, () => {}, environment)
    const { now } = (await this.run.send('GET /_local/health'))!.body
    this.#clock.ahead_ms = Date.parse(now) - Date.now()
  }

  async advance(seconds: number): Promise<void> {
    this.#clock.ahead_ms += seconds * 1000
    await this.run.advance(seconds)
  }

  /** Ends both, and returns the books of the provider. */
  async close(): Promise<Map<string, PaymentBooks>> {
    await this.run.kill()
    await this.stripe.stop()
    return booksOf(this.stripe.emulator.account)
  }
}

/** Checks that the operations make the calls of the table when nothing is killed. The sweep makes no POST meanwhile. */
async function checkCalls(service: LiveService, { calls }: ProviderKiller): Promise<void> {
  const isPost = (call: string) => call.startsWith('POST ')
  for (const operation of operations) {
    const request = await prepared(service, operation, `the calls of ${operation.name}`)
    const first = calls.length
    const reply = await service.run.send(...request)
    const made = calls.slice(first).filter(isPost).sort().join()
    if (reply?.status !== 200 || made !== operation.calls.filter(isPost).sort().join())
      throw new Error(`the ${operation.name} made ${made} and was answered with ${reply?.text}`)
  }
}

type Request = Parameters<LocalRun['send']>

/** Creates the payment of an operation, and returns the request of the operation. */
async function prepared({ run, key }: LiveService, operation: Operation, idempotency_key: string): Promise<Request> {
  const headers = { 'idempotency-key': idempotency_key }
  const order = { amount: 1_000, currency: 'JPY', payment_details: card('4242424242424242') }
  const orders = { charge: order, hold: { ...order, capture: false } }
  if (!('of' in operation)) return ['POST /payments', { key, headers, json: orders[operation.name] }]
  const { id } = (await run.send('POST /payments', { key, json: orders[operation.of] }))!.body
  const json = operation.name === 'cancel' ? {} : { amount: 400 }
  return [`POST /payments/${id}/${operation.name}`, { key, headers, json }]
}

/** Compares all payments with the books of the provider, and finds work that has not ended. */
function wrongIn(items: readonly Item[], books: ReadonlyMap<string, PaymentBooks>): string[] {
  const payments = items.filter(({ sk }) => sk === 'payment') as unknown as Payment[]
  const attempts = items.filter(({ pk, sk }) => pk.startsWith('payment#') && sk.startsWith('attempt#'))
  const open = (attempts as unknown as Attempt[]).filter(({ outcome }) => outcome === null)
  const known = new Set(payments.map(({ id }) => id))
  return [
    ...payments.filter(({ in_flight }) => in_flight.length > 0).map(({ id }) => `${id} has an operation in flight`),
    ...open.map(({ payment, operation }) => `the ${operation} of ${payment} has no outcome`),
    ...payments.flatMap((payment) => differenceOf(payment, books.get(payment.id)) ?? []),
    ...[...books.keys()].filter((id) => !known.has(id)).map((id) => `${id} is only at the provider`),
  ]
}
