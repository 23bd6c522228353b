import type Stripe from 'stripe'

/** Makes the calls that no flow of a payment makes: stored cards, lists, and what operators look at. */
export async function otherCalls(sdk: Stripe, intent: string): Promise<void> {
  const { id: customer } = await sdk.customers.create({
    email: 'taro@shop.example',
    name: 'Taro',
    metadata: { id: 'c' },
  })
  const { id: payment_method } = await sdk.paymentMethods.create({
    type: 'card',
    card: { number: '4242424242424242', exp_month: 12, exp_year: 2030 },
    billing_details: { name: 'Taro', email: 'taro@shop.example' },
  })
  await sdk.paymentMethods.attach(payment_method, { customer })
  await sdk.paymentMethods.retrieve(payment_method)
  await sdk.customers.listPaymentMethods(customer, { type: 'card', limit: 3 })
  const stored = { amount: 1000, currency: 'jpy', payment_method_types: ['card'], customer, payment_method }
  await sdk.paymentIntents.create({ ...stored, capture_method: 'automatic', off_session: true, confirm: true })
  const { id } = await sdk.paymentIntents.create({ ...stored, capture_method: 'manual' })
  await sdk.paymentIntents.update(id, { metadata: { key: 'k' } })
  await sdk.paymentIntents.cancel(id, { cancellation_reason: 'abandoned' })
  await setupIntents(sdk, customer)
  await sdk.customers.retrieve(customer)
  await sdk.customers.retrieveCashBalance(customer)
  await sdk.paymentMethods.detach(payment_method)
  await sdk.customers.del(customer)
  await lists(sdk, intent)
}

async function setupIntents(sdk: Stripe, customer: string): Promise<void> {
  const setup = await sdk.setupIntents.create({ customer, usage: 'off_session', payment_method_types: ['card'] })
  const wish = { card: { request_three_d_secure: 'any' } } as const
  await sdk.setupIntents.confirm(setup.id, { payment_method: 'pm_card_visa', payment_method_options: wish })
  await sdk.setupIntents.retrieve(setup.id)
  const other = await sdk.setupIntents.create({
    customer,
    payment_method: 'pm_card_threeDSecure2Required',
    return_url: 'https://shop.example/return',
    confirm: true,
  })
  await sdk.setupIntents.cancel(other.id, { cancellation_reason: 'abandoned' })
}

async function lists(sdk: Stripe, intent: string): Promise<void> {
  const created = { gte: 0, lte: 4_000_000_000 }
  await sdk.paymentIntents.list({ created, limit: 100 })
  await sdk.paymentIntents.search({ query: "metadata['key']:'k'" })
  const { data: charges } = await sdk.charges.list({ payment_intent: intent })
  await sdk.charges.retrieve(charges[0]!.id, { expand: ['balance_transaction'] })
  const { data: refunds } = await sdk.refunds.list({ created, limit: 1 })
  await sdk.refunds.list({ payment_intent: intent, limit: 100 })
  await sdk.refunds.retrieve(refunds[0]!.id)
  const { data: events } = await sdk.events.list({
    types: ['payment_intent.succeeded'],
    created: { gte: 0 },
    limit: 100,
  })
  await sdk.events.list({ type: 'charge.succeeded', starting_after: events[0]!.id })
  await sdk.events.retrieve(events[0]!.id)
  const { data } = await sdk.balanceTransactions.list({ created, limit: 100, expand: ['data.source'] })
  await sdk.balanceTransactions.list({ type: 'charge', currency: 'jpy' })
  await sdk.balanceTransactions.retrieve(data[0]!.id)
}
