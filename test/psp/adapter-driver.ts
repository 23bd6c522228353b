import { type Acquirer, type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { stripe } from '#shared/acquirer/stripe/acquirer.ts'
import { UnexpectedAnswer } from '#shared/acquirer/stripe/outcome.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import type { PaymentDetails } from '#shared/domain/payment-details.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { orderRecord } from '#test/fixtures/records.ts'
import { TurnedClock } from '#test/fixtures/stripe/sdk.ts'
import type { ChargeOrder, MakeDriver, Method } from './driver.ts'

const LIMIT_MS = 15_000

/** Drives the flows by the service's own adapter of Stripe. */
export const adapterDriver: MakeDriver = (url) => {
  const clock = new TurnedClock()
  const secret = { api_key: 'sk_test_emulator' }
  const secrets = { acquirer: async () => secret, refetch: async () => secret }
  const acquirer = stripe({ secrets, clock, log: () => {}, stage: 'test', host: url })
  const orders = new Map<string, Order>()
  const run = (order: Order) => referenceOf(acquirer.send(order, LIMIT_MS))
  const onCharge = (of: string, fields: Partial<Order>) =>
    run({ ...orders.get(of)!, details: undefined, reference: null, of, ...fields })
  return {
    async charge(wanted) {
      const order = orderOf(wanted, clock)
      const reference = isVerified(wanted) ? await verify(acquirer, order) : await run(order)
      if (reference === undefined) throw new OutcomeUnknown()
      orders.set(reference, { ...order, payment: order.key, reference })
      return reference
    },
    async capture(reference, amount, key) {
      await onCharge(reference, { operation: 'capture', amount, key })
    },
    async void(reference) {
      await onCharge(reference, { operation: 'void', because: 'unwanted', key: `${reference}-void` })
    },
    async refund(reference, amount, key) {
      await onCharge(reference, { operation: 'refund', amount, key })
    },
    async inquire(reference) {
      await referenceOf(acquirer.inquire({ ...orders.get(reference)!, details: undefined }, {}, LIMIT_MS))
    },
  }
}

/** What the answers of localstripe lack: the amounts received and capturable, and the page for 3-D Secure. */
const lacking: ReadonlySet<string> = new Set(['amount', 'next_action'])

/** The acquirer's id of an operation. The flows compare states, so an answer that lacks the rest is accepted. */
async function referenceOf(outcome: Promise<Outcome>): Promise<string | undefined> {
  try {
    return (await outcome).reference
  } catch (error) {
    if (error instanceof UnexpectedAnswer && lacking.has(error.code)) return error.reference
    throw error
  }
}

const isVerified = ({ method }: ChargeOrder): boolean => method.type === 'card' && method.three_d_secure === 'any'

async function verify(acquirer: Acquirer, { key: token, details, amount, currency, return_url }: Order) {
  const verification = { token, merchant: 'mer_1', details: details!, amount, currency, return_url }
  const { reference } = await acquirer.verify(verification, LIMIT_MS)
  if (reference === null) throw new OutcomeUnknown()
  return reference
}

function orderOf({ key, amount, captures: capture, method }: ChargeOrder, clock: TurnedClock): Order {
  const details = detailsOf(method)
  const deadline = method.type === 'konbini' ? timestamp(method.expires_at * 1000) : orderRecord().deadline
  const store = details.type === 'konbini' ? details.store! : null
  const ids = { key, charge: key, sent_at: timestamp(clock.now()), deadline }
  return orderRecord({ ...ids, type: details.type, store, amount, capture, details })
}

function detailsOf(method: Method): PaymentDetails {
  const email = 'taro@shop.example'
  switch (method.type) {
    case 'card': {
      const { number } = method
      return { type: 'credit_card', number, month: 12, year: 2035, verification_value: '123', name: 'A B', email }
    }
    case 'konbini':
      return { type: 'konbini', store: 'lawson', email }
    case 'customer_balance':
      return { type: 'bank_transfer', email }
    case 'alipay':
      return { type: 'alipay' }
    case 'wechat_pay':
      return { type: 'wechatpay' }
  }
}
