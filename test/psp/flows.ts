import type Stripe from 'stripe'
import type { Driver, Method } from './driver.ts'

/** The customer of a flow at one server. */
export interface Customer {
  /** Passes or fails 3-D Secure, or approves or refuses a payment of a wallet. */
  authenticate(intent: Stripe.PaymentIntent, passes: boolean): Promise<void>
}

/** What a flow works with: the code under test, the official SDK that looks on, and the customer. */
export interface Stage {
  readonly driver: Driver
  readonly sdk: Stripe
  readonly customer: Customer
  /** The time of the server in epoch seconds. */
  readonly now: number
}

/** The state of a payment intent, as far as every server knows it. */
export interface State {
  readonly status: string
  readonly error: string | null
  readonly refunded: number
}

/** One charge and what follows it. */
export interface Flow {
  readonly method: (now: number) => Method
  readonly captures: boolean
  readonly steps: readonly Step[]
}

type Step = (stage: Stage, reference: string, key: string) => Promise<unknown>

const capture = (amount: number): Step => {
  return ({ driver }, reference, key) => driver.capture(reference, amount, key)
}
const refund = (amount: number): Step => {
  return ({ driver }, reference, key) => driver.refund(reference, amount, key)
}
const cancel: Step = ({ driver }, reference) => driver.void(reference)
const authenticate = (passes: boolean): Step => {
  return async ({ sdk, customer }, reference) => {
    await customer.authenticate(await sdk.paymentIntents.retrieve(reference), passes)
  }
}
const fund: Step = async ({ sdk }, reference) => {
  const { customer, currency } = await sdk.paymentIntents.retrieve(reference)
  await sdk.testHelpers.customers.fundCashBalance(customer as string, { amount: 1000, currency })
}

/** Confirms a payment intent that has ended. Throws unless the server refuses it. */
const confirmAgain: Step = async ({ sdk }, reference) => {
  const card = { number: '4242424242424242', exp_month: 12, exp_year: 2030, cvc: '123' }
  const { id } = await sdk.paymentMethods.create({ type: 'card', card })
  const status = await sdk.paymentIntents.confirm(reference, { payment_method: id }).then(
    () => 200,
    ({ statusCode }) => statusCode,
  )
  if (status !== 400) throw new Error(`A confirm of an ended payment intent gave ${status} instead of 400`)
}

const card = (number: string, wish: { three_d_secure?: 'any' } = {}) => {
  return () => ({ type: 'card', number, ...wish }) as const
}
const good = card('4242424242424242')
const challenged = card('4000000000003220')

/** The flows whose states localstripe knows too. */
export const common_flows: Readonly<Record<string, Flow>> = {
  charge: { method: good, captures: true, steps: [] },
  decline: { method: card('4000000000000341'), captures: true, steps: [] },
  hold: { method: good, captures: false, steps: [] },
  capture: { method: good, captures: false, steps: [capture(1000)] },
  part: { method: good, captures: false, steps: [capture(700)] },
  cancel: { method: good, captures: false, steps: [cancel, confirmAgain] },
  'void of a charge': { method: good, captures: true, steps: [cancel] },
  refund: { method: good, captures: true, steps: [refund(400), refund(600)] },
  'second confirm': { method: good, captures: true, steps: [confirmAgain] },
  '3-D Secure pass': { method: challenged, captures: true, steps: [authenticate(true)] },
  '3-D Secure pass of a hold': { method: challenged, captures: false, steps: [authenticate(true), capture(1000)] },
  '3-D Secure fail': { method: challenged, captures: true, steps: [authenticate(false)] },
  '3-D Secure pass, then decline': {
    method: card('4000008400001629'),
    captures: true,
    steps: [authenticate(true)],
  },
  'cancel during 3-D Secure': { method: challenged, captures: true, steps: [cancel] },
}

/** The flows that only the emulator knows. */
export const other_flows: Readonly<Record<string, Flow>> = {
  konbini: { method: (now) => ({ type: 'konbini', expires_at: now + 86_400 }), captures: true, steps: [cancel] },
  'bank transfer': { method: () => ({ type: 'customer_balance' }), captures: true, steps: [fund, refund(1000)] },
  alipay: { method: () => ({ type: 'alipay' }), captures: true, steps: [authenticate(true)] },
  'WeChat Pay': { method: () => ({ type: 'wechat_pay' }), captures: true, steps: [authenticate(false)] },
  '3-D Secure on request': {
    method: card('4000000000003055', { three_d_secure: 'any' }),
    captures: true,
    steps: [authenticate(true)],
  },
}

/** Runs a flow and returns the states after its charge and after each step. The name makes its keys unique. */
export async function runFlow(stage: Stage, name: string, { method, captures, steps }: Flow): Promise<State[]> {
  const order = { key: `${name}-charge`, amount: 1000, captures, method: method(stage.now) }
  const reference = await stage.driver.charge(order)
  await stage.driver.inquire(reference)
  const states = [await stateOf(stage, reference)]
  for (const [index, step] of steps.entries()) {
    await step(stage, reference, `${name}-${index}`)
    states.push(await stateOf(stage, reference))
  }
  return states
}

async function stateOf({ sdk }: Stage, reference: string): Promise<State> {
  const { status, last_payment_error } = await sdk.paymentIntents.retrieve(reference)
  // A server may list a released hold as a refund. Only the refunds of a payment that has succeeded move money.
  const refunds = status === 'succeeded' ? (await sdk.refunds.list({ payment_intent: reference })).data : []
  const refunded = refunds.reduce((sum, { amount }) => sum + amount, 0)
  return { status, error: last_payment_error?.code ?? null, refunded }
}
