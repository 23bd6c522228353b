import { afterAll, beforeAll, expect, test } from 'vitest'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { card, type Reply } from '#test/fixtures/api.ts'
import type { Fault, PlannedFault } from '#test/fixtures/stripe/faults.ts'
import { openStripeApi, type StripeApi } from '#test/fixtures/stripe-api.ts'
import { canariesIn } from '#test/long/canaries.ts'

let api: StripeApi
const messages: string[] = []

/** Records the messages of the queues. */
function recorded(platform: LocalPlatform): LocalPlatform {
  for (const queue of Object.values(platform.queues)) {
    const send = queue.send.bind(queue)
    queue.send = (sent) => {
      messages.push(JSON.stringify(sent))
      return send(sent)
    }
  }
  return platform
}

beforeAll(async () => {
  api = await openStripeApi({ around: recorded })
})
afterAll(() => api.close())

/** Numbers that are paid, declined, blocked, invalid or sent to 3-D Secure. */
const numbers = ['4242424242424242', '4000000000009995', '4100000000000019', '4242424242424241', '4000002760003184']

const faults: Fault[] = ['answer_lost', 'cut_mid_body', 'not_json', 'stored_500', 'balance_insufficient', 'key_rolled']

const calls = ['paymentIntents.create', 'paymentMethods.create', 'paymentIntents.confirm'] as const

/** Every fault at every call. At most five requests in a row get no answer: after those, live payments are refused. */
const every_plan = calls.flatMap((call) => [undefined, ...faults.map((fault) => ({ fault, call }))])

const some_plans = [undefined, { fault: 'answer_lost', call: 'paymentIntents.confirm' }] as const

/** The time limit, in milliseconds. It only ends a test that hangs. */
const TIMEOUT_MS = 120_000

/** Takes payments with a card while each fault is planned, and returns all responses as text. */
async function responsesTo(number: string, plans: readonly (PlannedFault | undefined)[]): Promise<string> {
  const payment_details = card(number)
  const price = { amount: 1000, currency: 'JPY' }
  const replies: Reply[] = []
  for (const plan of plans) {
    api.emulator.faults.clear()
    if (plan) api.emulator.faults.plan(plan)
    replies.push(await api.ask('POST /payments', { ...price, payment_details }))
  }
  api.emulator.faults.clear()
  const return_url = 'https://shop.example/done'
  replies.push(await api.ask('POST /secure_tokens', { ...price, return_url, payment_details }))
  replies.push(await api.ask('POST /customers', { payment_details }))
  const { body: session } = await api.ask('POST /sessions', price)
  replies.push(await api.ask(`POST /sessions/${session.id}/pay`, { payment_details }))
  expect(replies.map(({ status }) => status)).not.toContain(503)
  return JSON.stringify(replies)
}

test('no number of a live card is in a response, a log line, an item, a message or an object of Stripe', {
  timeout: TIMEOUT_MS,
}, async () => {
  await api.ask('POST /webhooks', {
    url: 'https://shop.example/hook',
    event_list: ['payment.captured', 'payment.failed'],
  })
  const responses: string[] = []
  for (const [at, number] of numbers.entries())
    responses.push(await responsesTo(number, at === 0 ? every_plan : some_plans))
  await api.notify()
  await api.advance(86_400)
  const { account } = api.emulator
  const at_provider = [...account.payment_methods.values()].map((method) => method.card?.last4)
  const places = {
    responses: responses.join(),
    logs: JSON.stringify(api.logs),
    items: JSON.stringify([...api.platform.table.items()]),
    messages: messages.join(),
    provider: JSON.stringify([...account.events.values(), ...account.payment_intents.values()]),
  }
  // The numbers that Stripe gets are the valid ones.
  expect(new Set(at_provider)).toEqual(new Set(['4242', '9995', '0019', '3184']))
  for (const [place, text] of Object.entries(places)) {
    expect(text.length, place).toBeGreaterThan(1_000)
    expect(canariesIn(text, numbers), place).toEqual([])
  }
})
