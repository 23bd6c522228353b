import { card, konbini, type RequestOptions } from '#test/fixtures/api.ts'
import { documentOf, partsWith } from '#test/fixtures/documents.ts'
import type { LocalRun } from '#test/fixtures/local-run.ts'

const order = { amount: 1000, currency: 'JPY' }

/** Creates records in every state that the fuzzer changes, and returns their ids by the first segment of their paths. */
export async function recordsToFuzz({ send, key }: LocalRun): Promise<Readonly<Record<string, readonly string[]>>> {
  const create = async (path: string, options: RequestOptions): Promise<string> => {
    const reply = await send(`POST ${path}`, { key, ...options })
    if (reply?.status !== 200) throw new Error(`POST ${path}: ${reply?.text}`)
    return reply.body.id
  }
  const post = (path: string, json: object) => create(path, { json })
  const customer = await post('/customers', { payment_details: card() })
  const subscription = { ...order, customer, period: 'weekly' }
  return {
    payments: [
      await post('/payments', { ...order, payment_details: card() }),
      await post('/payments', { ...order, payment_details: card(), capture: false }),
      await post('/payments', { ...order, payment_details: konbini }),
      await post('/payments', {
        ...order,
        payment_details: { type: 'net_cash', email: konbini.email, prepaid_number: '1234567890' },
      }),
    ],
    customers: [customer, await post('/customers', { payment_details: card() })],
    sessions: [await post('/sessions', order), await post('/sessions', { mode: 'customer' })],
    secure_tokens: [
      await post('/secure_tokens', { ...order, return_url: 'https://shop.example.com/', payment_details: card() }),
    ],
    subscriptions: [await post('/subscriptions', subscription), await post('/subscriptions', subscription)],
    accounts: [await post('/accounts', { name: 'fuzzed', default_currency: 'JPY', time_zone: 'Asia/Tokyo' })],
    files: [await create('/files', { parts: partsWith(['paper', documentOf(100), 'certificate.pdf']) })],
    webhooks: [
      await post('/webhooks', {
        url: 'https://shop.example.com/',
        event_list: ['ping', 'payment.captured'],
        secret_token: 'a',
      }),
      await post('/webhooks', { url: 'http://shop.example.com/', event_list: ['payment.captured'] }),
    ],
    events: await idsIn('/events'),
    deliveries: await idsIn('/deliveries'),
  }

  async function idsIn(path: string): Promise<string[]> {
    const reply = await send(`GET ${path}`, { key })
    return reply?.body.data.map(({ id }: { readonly id: string }) => id)
  }
}
