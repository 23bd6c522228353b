import type { NewMerchant } from '#shared/store/merchants.ts'
import { decideAt } from '#test/browser/customer-decision.ts'
import { type Api, card, type Reply, type RequestOptions } from '#test/fixtures/api.ts'

/** The number of the first card of a customer. It needs 3-D Secure. */
export const CARD = '4100000000000100'
export const order = { amount: 1000, currency: 'JPY' }
export const return_url = 'https://shop.example.com/'
export const invalid_token = { status: 422, code: 'invalid_token', param: 'payment_details' }

type Send = (route: string, options?: RequestOptions) => Promise<Reply>

const made = async (reply: Promise<Reply>) => {
  const { status, body } = await reply
  if (status !== 200) throw new Error(`the set-up was answered with ${status} ${body.error.code}`)
  return body
}

/** Creates a merchant, a customer, and verified secure tokens from the customer's card. */
export async function arranged(api: Api, count = 1) {
  const { test: merchant } = await api.newMerchants()
  const send: Send = (route, options) => api.request(route, { key: merchant.secret_key, ...options })
  const stores = { payment_details: card(CARD), email: 'a@example.com' }
  const customer: string = (await made(send('POST /customers', { json: stores }))).id
  const other: string = (await made(send('POST /customers', { json: { payment_details: card() } }))).id
  const sessions = {
    payment: (await made(send('POST /sessions', { json: order }))).id as string,
    customer: (await made(send('POST /sessions', { json: { mode: 'customer' } }))).id as string,
  }
  const tokens: string[] = []
  for (let n = 0; n < count; n++) tokens.push(await verified(send, { customer }))
  return { merchant, send, customer, other, sessions, tokens, token: tokens[0]! }
}
export type Arranged = Awaited<ReturnType<typeof arranged>>

/** Creates a secure token and passes its 3-D Secure challenge. */
export async function verified(send: Send, source: object): Promise<string> {
  const json = { ...order, return_url, ...source }
  const { id, authentication_url } = await made(send('POST /secure_tokens', { json }))
  await decideAt(authentication_url, 'authenticate')
  return id
}

/** The uses of a secure token. */
export const uses: Readonly<Record<string, (where: Arranged, payment_details: string) => Promise<Reply>>> = {
  'a payment': ({ send }, payment_details) => send('POST /payments', { json: { ...order, payment_details } }),
  'a payment with a key': ({ send }, payment_details) =>
    send('POST /payments', { json: { ...order, payment_details }, headers: { 'idempotency-key': payment_details } }),
  'a session': ({ send, sessions }, payment_details) =>
    send(`POST /sessions/${sessions.payment}/pay`, { json: { payment_details } }),
  'a session of mode customer': ({ send, sessions }, payment_details) =>
    send(`POST /sessions/${sessions.customer}/pay`, { json: { payment_details } }),
  'a new customer': ({ send }, payment_details) => send('POST /customers', { json: { payment_details } }),
  'another customer': ({ send, other }, payment_details) =>
    send(`PATCH /customers/${other}`, { json: { payment_details } }),
  'the customer themselves': ({ send, customer }, payment_details) =>
    send(`PATCH /customers/${customer}`, { json: { payment_details } }),
  'another secure token': ({ send }, payment_details) =>
    send('POST /secure_tokens', { json: { ...order, return_url, payment_details } }),
}

/** Changes a customer. */
export const patches = ({ send, customer }: Arranged, json: object) => send(`PATCH /customers/${customer}`, { json })

/** The ways in which a card ends: the customer is deleted, or the card is removed or replaced. */
export const endings: Readonly<Record<string, (where: Arranged) => Promise<Reply>>> = {
  'the customer is deleted': ({ send, customer }) => send(`DELETE /customers/${customer}`),
  'the card is replaced': (where) => patches(where, { payment_details: card('5555555555554444') }),
  'the card is replaced by a token': async (where) => {
    const json = { payment_details: card('5555555555554444') }
    const { id } = await made(where.send('POST /tokens', { json }))
    return patches(where, { payment_details: id })
  },
  'the card is stored again': (where) => patches(where, { payment_details: card(CARD) }),
  'the card is removed': (where) => patches(where, { payment_details: null }),
  'the card is removed and stored again': async (where) => {
    await patches(where, { payment_details: null })
    return patches(where, { payment_details: card(CARD) })
  },
}

/** Returns the number of charges of a merchant at the acquirer. */
export const charges = (api: Api, { id }: NewMerchant): number =>
  [...api.platform.table.items()].filter(
    ({ pk, operation }) => pk.startsWith(`sandbox#${id}#`) && operation === 'charge',
  ).length
