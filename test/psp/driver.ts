import Stripe from 'stripe'
import { API_VERSION } from '#test/fixtures/stripe/account.ts'
import { adapterDriver } from './adapter-driver.ts'

const OBSERVER = 'observer'

/** How a customer pays. */
export type Method =
  | { readonly type: 'card'; readonly number: string; readonly three_d_secure?: 'any' }
  | { readonly type: 'konbini'; readonly expires_at: number }
  | { readonly type: 'customer_balance' }
  | { readonly type: 'alipay' }
  | { readonly type: 'wechat_pay' }

/** A charge that a flow wants. A charge that does not capture is a hold. */
export interface ChargeOrder {
  readonly key: string
  readonly amount: number
  readonly captures: boolean
  readonly method: Method
}

/**
 * The code under test: it carries out operations at a server that speaks Stripe's API. A charge returns the id of its
 * payment intent, also if it is declined.
 */
export interface Driver {
  charge(order: ChargeOrder): Promise<string>
  capture(reference: string, amount: number, key: string): Promise<void>
  void(reference: string): Promise<void>
  refund(reference: string, amount: number, key: string): Promise<void>
  inquire(reference: string): Promise<void>
}

/** Returns a driver for the server at an origin. `now` is the time of the server in epoch milliseconds. */
export type MakeDriver = (url: string, now: number) => Driver

/** Returns the official SDK for the server at an origin, without retries. The name of its user is in its requests. */
export function sdkAt(url: string, user: string): Stripe {
  const { hostname, port } = new URL(url)
  const server = { host: hostname, port: Number(port), protocol: 'http' } as const
  const config = { apiVersion: API_VERSION, maxNetworkRetries: 0, telemetry: false, appInfo: { name: user } } as const
  return new Stripe('sk_test_emulator', { ...server, ...config })
}

/** Returns the official SDK of the runner, which looks on and makes the calls that no driver makes. */
export const observerAt = (url: string): Stripe => sdkAt(url, OBSERVER)

/** Returns whether the runner made a request, and not the driver. */
export const isObserved = (headers: Readonly<Record<string, unknown>>): boolean =>
  String(headers['user-agent']).includes(OBSERVER)

const return_url = 'https://shop.example/return'
const billing_details = { name: 'Taro Yamada', email: 'taro@shop.example' }
const bank = { funding_type: 'bank_transfer', bank_transfer: { type: 'jp_bank_transfer' } } as const

/** Drives the flows by the official SDK alone, with the requests that an acquirer makes: create, then confirm. */
export const sdkDriver: MakeDriver = (url) => {
  const stripe = sdkAt(url, 'driver')
  return {
    async charge({ key, amount, captures, method }) {
      const customer = method.type === 'customer_balance' ? await customerOf(stripe, key) : undefined
      const intent = await stripe.paymentIntents.create(
        {
          amount,
          currency: 'jpy',
          capture_method: captures ? 'automatic' : 'manual',
          payment_method_types: [method.type],
          metadata: { stage: 'test', merchant: 'm', payment: 'p', attempt: 'a', key },
          ...(customer && { customer }),
        },
        { idempotencyKey: key },
      )
      await stripe.paymentIntents
        .confirm(intent.id, { ...(await confirmation(stripe, method)), expand: ['latest_charge.balance_transaction'] })
        .catch(unlessDeclined)
      return intent.id
    },
    async capture(reference, amount_to_capture, idempotencyKey) {
      await stripe.paymentIntents.capture(reference, { amount_to_capture }, { idempotencyKey })
    },
    async void(reference) {
      const { status } = await stripe.paymentIntents.retrieve(reference)
      if (status === 'succeeded') await stripe.refunds.create({ payment_intent: reference })
      else await stripe.paymentIntents.cancel(reference)
    },
    async refund(payment_intent, amount, key) {
      await stripe.refunds.create({ payment_intent, amount, metadata: { key } }, { idempotencyKey: key })
    },
    async inquire(reference) {
      await stripe.paymentIntents.retrieve(reference, { expand: ['latest_charge.balance_transaction'] })
    },
  }
}

async function customerOf(stripe: Stripe, key: string): Promise<string> {
  const { id } = await stripe.customers.create({ metadata: { key } }, { idempotencyKey: `${key}-customer` })
  return id
}

async function confirmation(stripe: Stripe, method: Method): Promise<Stripe.PaymentIntentConfirmParams> {
  const { type } = method
  if (type === 'card') {
    const card = { number: method.number, exp_month: 12, exp_year: 2030, cvc: '123' }
    const { id } = await stripe.paymentMethods.create({ type, card })
    const wish = method.three_d_secure && { card: { request_three_d_secure: method.three_d_secure } }
    return { payment_method: id, return_url, ...(wish && { payment_method_options: wish }) }
  }
  if (type === 'konbini') {
    const { expires_at } = method
    return {
      payment_method_data: { type, konbini: {}, billing_details },
      payment_method_options: { konbini: { expires_at, product_description: 'Order 1' } },
    }
  }
  if (type === 'customer_balance') {
    return { payment_method_data: { type }, payment_method_options: { customer_balance: bank } }
  }
  if (type === 'alipay') return { payment_method_data: { type }, return_url }
  return { payment_method_data: { type }, payment_method_options: { wechat_pay: { client: 'web' } } }
}

function unlessDeclined(error: unknown): void {
  if (!(error instanceof Stripe.errors.StripeCardError)) throw error
}

/** The drivers whose requests and states the suites check. */
export const drivers: Readonly<Record<string, MakeDriver>> = {
  'the official SDK': sdkDriver,
  'the adapter of Stripe': adapterDriver,
}
