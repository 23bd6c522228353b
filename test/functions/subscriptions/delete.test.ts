import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventsOf, eventTypesOf, itemsOf, refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

const DAY = 86_400

/** Creates a subscription. Its customer pays with a card of the given number. */
async function make({ number, scenario, ...fields }: { number?: string; scenario?: string; amount?: number } = {}) {
  const { body: customer } = await api.request('POST /customers', { json: { payment_details: card(number) } })
  const json = { customer: customer.id, amount: 1000, currency: 'JPY', period: 'monthly', ...fields }
  const headers = scenario ? { 'x-service-scenario': scenario } : undefined
  return (await api.request('POST /subscriptions', { json, headers })).body
}
const show = async (id: string) => (await api.request(`GET /subscriptions/${id}`)).body
const remove = (id: string, key?: string) => api.request(`DELETE /subscriptions/${id}`, key ? { key } : {})
const paymentsOf = async (made: { customer: { uuid: string } }) =>
  (await api.request(`GET /payments?customer=${made.customer.uuid}`)).body.data
const chargesOf = (subscription: string) => itemsOf(api, 'sandbox').filter(({ pk }) => pk.includes(subscription))

/** The fields that change when a subscription ends. */
const ended = ({ ended_at }: { ended_at: string }) => ({ ended_at, retry_at: null, next_capture_at: null })

describe('DELETE /subscriptions/:id', () => {
  test('returns the ended subscription with its payments, and emits subscription.deleted with it', async () => {
    const made = await make()
    await api.advance(60)
    const { status, text, body } = await remove(made.id)
    expect(status).toBe(200)
    expect(text).toBe(
      JSON.stringify({ ...made, status: 'deleted', next_capture_at: null, ended_at: '2030-01-02T03:01:00Z' }),
    )
    expect((await api.request(`GET /subscriptions/${made.id}`)).text).toBe(text)
    expect((await eventsOf(api, made.id)).at(-1)).toMatchObject({ type: 'subscription.deleted', data: body })
    const [payment] = await paymentsOf(made)
    expect([payment.id, payment.status]).toEqual([made.payments[0], 'captured'])
  })

  test('returns the same subscription when it is repeated, and emits one event', async () => {
    const made = await make()
    const first = await remove(made.id)
    await api.advance(DAY)
    const again = await remove(made.id)
    expect([again.status, again.text]).toEqual([200, first.text])
    expect(await eventTypesOf(api, made.id)).toEqual([
      'subscription.created',
      'subscription.captured',
      'subscription.deleted',
    ])
  })

  test('shows the customer as it is at the time of the deletion', async () => {
    const made = await make()
    const { uuid } = made.customer
    const json = { email: 'new@example.com', metadata: { b: 2 }, payment_details: { ...card(), month: 3 } }
    await api.request(`PATCH /customers/${uuid}`, { json })
    const now = await show(made.id)
    const { body } = await remove(made.id)
    expect(body).toMatchObject({ customer: now.customer, payment_details: { month: '3', email: 'new@example.com' } })
    expect((await eventsOf(api, made.id)).at(-1)?.data).toEqual(body)
  })

  test('deletes once under concurrent requests', async () => {
    const made = await make()
    const replies = await Promise.all([1, 2, 3, 4].map(() => remove(made.id)))
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(replies.map(({ text }) => text)).size).toBe(1)
    expect((await eventTypesOf(api, made.id)).filter((type) => type === 'subscription.deleted')).toHaveLength(1)
  })

  test('deletes a suspended subscription', async () => {
    const made = await make({ number: '4123111111111059' })
    await api.advance(60)
    const { body } = await remove(made.id)
    expect(body).toEqual({ ...made, status: 'deleted', ended_at: body.ended_at })
    expect(Date.parse(body.ended_at) - Date.parse(made.ended_at)).toBe(60_000)
    expect((await eventTypesOf(api, made.id)).slice(-2)).toEqual(['subscription.suspended', 'subscription.deleted'])
  })

  test('stops the retries of a retrying subscription', async () => {
    const made = await make({ number: '4123111111112008' })
    await api.advance(31 * DAY)
    const retrying = await show(made.id)
    expect(retrying).toMatchObject({ status: 'retrying', retry_count: 1 })
    const { body } = await remove(made.id)
    expect(body).toEqual({ ...retrying, status: 'deleted', ...ended(body) })
    const before = await paymentsOf(made)
    await api.advance(60 * DAY)
    expect(await show(made.id)).toEqual(body)
    expect(await paymentsOf(made)).toEqual(before)
  })

  test.each(['timeout_before_charge', 'timeout_after_charge'])(
    'cancels the payment of a first capture that has an unknown outcome after %s, and leaves nothing charged',
    async (scenario) => {
      const made = await make({ scenario })
      const { body } = await remove(made.id)
      expect(body).toEqual({ ...made, status: 'deleted', ...ended(body) })
      const [payment] = await paymentsOf(made)
      expect(payment).toMatchObject({ status: 'cancelled', captured_at: null })
      expect(await eventTypesOf(api, payment.id)).toEqual(['payment.cancelled'])
      await api.advance(60 * DAY)
      expect(await paymentsOf(made)).toEqual([payment])
      expect(await show(made.id)).toEqual(body)
      const charged = chargesOf(made.id).filter(({ outcome }) => (outcome as { result: string }).result === 'captured')
      const given_back = itemsOf(api, 'sandbox').filter(
        ({ pk, operation }) => operation === 'void' && pk.includes(payment.id),
      )
      expect(given_back).toHaveLength(charged.length)
      expect(charged).toHaveLength(scenario === 'timeout_after_charge' ? 1 : 0)
    },
  )

  test('answers 404 for an unknown id and for a subscription of another merchant or mode, and deletes nothing', async () => {
    const made = await make()
    const { test: somebody } = await api.newMerchants()
    const asked = [remove('sub_1'), remove(made.id, somebody.secret_key), remove(made.id, api.live.secret_key)]
    for (const reply of await Promise.all(asked))
      expect(refusalIn(reply)).toEqual({ status: 404, code: 'not_found', param: null })
    expect(await show(made.id)).toEqual(made)
  })
})
