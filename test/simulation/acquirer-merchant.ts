import { handler as createCustomer } from '#functions/customers/create.ts'
import { handler as cancelPayment } from '#functions/payments/cancel.ts'
import { handler as capturePayment } from '#functions/payments/capture.ts'
import { handler as createPayment } from '#functions/payments/create.ts'
import { handler as refundPayment } from '#functions/payments/refund.ts'
import { handler as createSession } from '#functions/sessions/create.ts'
import { handler as paySession } from '#functions/sessions/pay.ts'
import { handler as createSubscription } from '#functions/subscriptions/create.ts'
import { handler as deleteSubscription } from '#functions/subscriptions/delete.ts'
import type { Payment, PaymentStatus } from '#shared/domain/payment.ts'
import type { Item, Platform } from '#shared/platform/ports.ts'
import { apiKeyKey, hashOfKey, merchantKey } from '#shared/store/keys.ts'
import { gatewayEvent } from '#test/fixtures/lambda-events.ts'
import type { AcquirerModel } from './acquirer-model.ts'
import { HOUR, MINUTE, type Process, SECOND, type World } from './world.ts'

type Handler = (event: never, context: never) => Promise<{ readonly statusCode: number }>

/** A request of the merchant's server. A repetition has the same idempotency key. */
interface Wanted {
  readonly name: string
  readonly handler: Handler
  readonly method?: 'POST' | 'DELETE'
  readonly id?: string | undefined
  readonly json: object
}

const SECRET = `sk_live_${'a1'.repeat(16)}`

const AUTHORIZATION = `Basic ${Buffer.from(`${SECRET}:`).toString('base64')}`

/** The items of a live merchant with its API key. */
export function liveMerchant(id: string, account: string): Item[] {
  const row = { version: 1, account, mode: 'live' }
  return [
    { ...merchantKey(id), ...row, id, created_by: null },
    { ...apiKeyKey(hashOfKey(SECRET)), ...row, merchant: id, kind: 'secret', revoked_at: null },
  ]
}

/** Cards that are accepted, need 3-D Secure, or are declined. */
const CARDS = [
  ...['4242424242424242', '4242424242424242', '5555555555554444', '5555555555554444', '378282246310005'],
  ...['4000000000003220', '4000008260003178', '4000000000009995', '4100000000000019'],
] as const

/** How long the merchant's server waits before it repeats a request without a final answer. */
const REPEATED_AFTER = [SECOND, 20 * SECOND, 50 * SECOND, MINUTE, 10 * MINUTE, 3 * HOUR, 22 * HOUR, 26 * HOUR] as const

/** The requests of a merchant's server. A request without a final answer is repeated, or given up. */
export class ShopServer {
  readonly #world: World
  readonly #model: AcquirerModel
  readonly #start: (run: (process: Process, platform: Platform) => Promise<void>) => void
  #requests = 0

  constructor(
    world: World,
    model: AcquirerModel,
    start: (run: (process: Process, platform: Platform) => Promise<void>) => void,
  ) {
    this.#world = world
    this.#model = model
    this.#start = start
  }

  /** Creates a payment that waits for its customer. */
  reserve(): void {
    this.#send({ name: 'reserves', handler: createPayment, json: { ...this.#price(), payment_details: this.#cash() } })
  }

  charge(): void {
    const customer = this.#world.pick([...this.#model.customers])
    const source = customer && this.#world.chance(0.2) ? { customer } : { payment_details: this.#details() }
    const capture = this.#world.chance(0.6)
    this.#send({ name: 'charges', handler: createPayment, json: { ...this.#price(), capture, ...source } })
  }

  capture(): void {
    this.#operate('captures', capturePayment, 'authorized', ({ authorized_total: total, tax }) =>
      this.#world.chance(0.5) ? {} : { amount: 50 + this.#world.below(total), tax },
    )
  }

  refund(): void {
    this.#operate('refunds', refundPayment, 'captured', ({ total }) =>
      this.#world.chance(0.2) ? {} : { amount: 1 + this.#world.below(total / 2) },
    )
  }

  cancel(): void {
    this.#operate('cancels', cancelPayment, 'authorized', () => ({}))
  }

  createSession(): void {
    const json = { ...this.#price(), return_url: 'https://shop.example.com/done' }
    this.#send({ name: 'creates a session', handler: createSession, json })
  }

  /** A customer pays a session, or tries again. */
  paySession(): void {
    const id = this.#world.pick([...this.#model.sessions])
    if (id) this.#send({ name: 'pays', handler: paySession, id, json: { payment_details: this.#details() } })
  }

  createCustomer(): void {
    const number = this.#world.chance(0.8) ? CARDS[0] : this.#world.pick(CARDS)
    const json = { email: 'taro@example.com', payment_details: this.#card(number) }
    this.#send({ name: 'creates a customer', handler: createCustomer, json })
  }

  subscribe(): void {
    const customer = this.#world.pick([...this.#model.customers])
    const json = { customer, amount: 1000, currency: 'JPY', period: 'weekly' }
    if (customer) this.#send({ name: 'subscribes', handler: createSubscription, json })
  }

  unsubscribe(): void {
    const id = this.#world.pick([...this.#model.subscriptions])
    if (id) this.#send({ name: 'unsubscribes', handler: deleteSubscription, method: 'DELETE', id, json: {} })
  }

  /** Operates mostly on a payment whose status allows it. */
  #operate(name: string, handler: Handler, allowed: PaymentStatus, json: (payment: Payment) => object): void {
    const all = [...this.#model.payments.values()]
    const some = all.filter(({ status }) => status === allowed)
    const payment = this.#world.pick(some.length > 0 && this.#world.chance(0.8) ? some : all)
    if (payment) this.#send({ name, handler, id: payment.id, json: json(payment) })
  }

  #send(wanted: Wanted, key = `request ${++this.#requests}`, tries = 1): void {
    const world = this.#world
    let is_final = false
    this.#start(async (process, platform) => {
      world.say(process, `${wanted.name} ${wanted.id ?? ''} with ${key}: ${JSON.stringify(wanted.json)}`)
      const { statusCode } = await wanted.handler(eventOf(wanted, key) as never, { platform } as never)
      world.say(process, `is answered with ${statusCode}`)
      is_final = statusCode < 500 && statusCode !== 409
    })
    world.after(world.pick(REPEATED_AFTER), () => {
      if (is_final || tries === 4 || world.chance(0.2)) return
      if (world.chance(0.05)) this.#send(wanted)
      else this.#send(wanted, key, tries + 1)
    })
  }

  #price() {
    const amount = 500 + this.#world.below(5_000)
    return { amount, currency: 'JPY', ...(this.#world.chance(0.3) && { tax: this.#world.below(100) }) }
  }

  #card = (number: string) => ({ type: 'credit_card', number, month: 12, year: 2040, name: 'Taro Yamada' })

  #details(): object {
    const world = this.#world
    const kind = world.below(10)
    if (kind < 5) return this.#card(world.pick(CARDS))
    return kind < 8 ? this.#cash() : { type: kind === 8 ? 'alipay' : 'wechatpay' }
  }

  #cash(): object {
    const world = this.#world
    const payer = { email: 'taro@example.com', phone: '0312345678' }
    return world.chance(0.7)
      ? { ...payer, type: 'konbini', store: 'lawson', expiry_days: world.below(4) }
      : { ...payer, type: 'bank_transfer', expiry_days: 1 + world.below(4) }
  }
}

function eventOf({ method = 'POST', id, json }: Wanted, key: string) {
  return gatewayEvent({
    ...{ method, path: '/requests', body: JSON.stringify(json) },
    ...(id !== undefined && { params: { id } }),
    headers: { authorization: AUTHORIZATION, 'content-type': 'application/json', 'idempotency-key': key },
  })
}
