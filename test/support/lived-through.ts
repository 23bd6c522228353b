import { type Api, card, konbini, openApi } from './api.ts'
import { openReceiver, type Receiver } from './receiver.ts'

/** A service that has done what services do for ten days, and what came of it, by id. */
export interface Lived {
  readonly api: Api
  readonly receiver: Receiver
  readonly paid: string
  readonly refunded: string
  readonly customer: string
  readonly subscription: string
  readonly session: string
  readonly webhook: string
  readonly refund_request: string
  close(): Promise<void>
}

/** Lives through a journey with every kind of record in it. */
export async function lived(): Promise<Lived> {
  const [api, receiver] = [await openApi(), await openReceiver()]
  const post = async (path: string, json: object = {}) => {
    const { status, body } = await api.request(`POST ${path}`, { json })
    if (status !== 200) throw new Error(`POST ${path}: ${JSON.stringify(body)}`)
    return body
  }
  const pay = (fields: object = {}) => post('/payments', { amount: 1000, currency: 'JPY', ...fields })
  const url = `${receiver.origin}/hook`
  const event_list = ['payment.captured', 'payment.refund.created', 'customer.created', 'subscription.captured']
  const { id: webhook } = await post('/webhooks', { url, event_list, secret_token: 'secret' })
  const own = [{ url: `${receiver.origin}/own`, events: ['payment.captured'] }]
  const { id: paid } = await pay({ payment_details: card(), webhooks: own, external_order_num: 'order-1' })
  const { id: refunded } = await pay({ payment_details: card() })
  await post(`/payments/${refunded}/refund`, { amount: 400 })
  await post(`/payments/${refunded}/refund`)
  const held = await pay({ payment_details: card(), capture: false })
  await post(`/payments/${held.id}/capture`, { amount: 600 })
  const unwanted = await pay({ payment_details: card(), capture: false })
  await post(`/payments/${unwanted.id}/cancel`)
  await api.request('POST /payments', {
    json: { amount: 1, currency: 'JPY', payment_details: card('4123111111111000') },
  })
  await pay({ payment_details: { type: 'paypay' } })
  const { id: cash } = await pay({ payment_details: konbini })
  await api.request(`POST /_local/payments/${cash}/pay`, { key: null })
  const bank = {
    customer_name: 'T',
    bank_name: 'B',
    branch_number: '1',
    account_type: 'normal',
    account_number: '1234',
  }
  const asked = await post(`/payments/${cash}/refund_request`, { amount: 500, ...bank })
  const { id: customer } = await post('/customers', { email: 'taro@example.com', payment_details: card() })
  const gone = await post('/customers', { email: 'gone@example.com', payment_details: card() })
  await api.request(`DELETE /customers/${gone.id}`)
  const { id: subscription } = await post('/subscriptions', { customer, amount: 10, currency: 'JPY', period: 'weekly' })
  const { id: session } = await post('/sessions', { amount: 700, currency: 'JPY' })
  await post(`/sessions/${session}/pay`, { payment_details: card() })
  await post('/sessions', { amount: 700, currency: 'JPY' })
  const secure = { amount: 700, currency: 'JPY', return_url: 'https://shop.example.com/' }
  await post('/secure_tokens', { ...secure, payment_details: card() })
  await post('/secure_tokens', { ...secure, customer })
  await api.advance(10 * 86_400)
  const refund_request = asked.refund_requests[0].id
  const close = async () => {
    await receiver.close()
    await api.close()
  }
  return { api, receiver, paid, refunded, customer, subscription, session, webhook, refund_request, close }
}
