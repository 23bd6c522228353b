import Stripe from 'stripe'
import { card, type Reply, request } from '#test/fixtures/api.ts'
import { openStripeApi } from '#test/fixtures/stripe-api.ts'
import { type Costs, PlatformMeter } from './measured-platform.ts'
import { heading, mark, note, table } from './report.ts'

/** The aims of a live charge: calls of the platform and round trips to the provider, one after the other. */
export const PLATFORM_WAITS_AT_MOST = 4
export const ROUND_TRIPS_AT_MOST = 2

/** An operation of a live payment, with what it costs. The costs of the acquirer are those of the provider. */
export interface LiveCost {
  readonly name: string
  readonly costs: Costs
  readonly is_charge: boolean
}

/** Measures how often a live payment by card waits for the platform, and for the provider. */
export async function liveCallsBench(): Promise<void> {
  heading('Calls of the platform and of the provider by one live request')
  note(
    'Waits are calls that begin after another one has ended: concurrent calls are one wait, and one round trip to the',
    'provider. The emulator of Stripe is the provider. The first payment of the process is not measured.',
  )
  const rows = (await liveCosts()).map(({ name, costs: { service, acquirer }, is_charge }) => {
    const aim = (value: number, at_most: number) => (is_charge ? mark({ value, at_most }) : '')
    const waits = [service.waits, aim(service.waits, PLATFORM_WAITS_AT_MOST), service.calls]
    return [name, ...waits, acquirer.waits, aim(acquirer.waits, ROUND_TRIPS_AT_MOST), acquirer.calls]
  })
  table(['request', 'waits', 'aim', 'calls', 'round trips', 'aim', 'calls'], rows)
}

/** Charges, holds, captures, refunds and cancels by a live card, one after the other. */
export async function liveCosts(): Promise<LiveCost[]> {
  const meter = new PlatformMeter()
  const unmeter = meterStripe(meter)
  const api = await openStripeApi({ around: (platform) => meter.around(platform) })
  try {
    const { body: merchants } = await api.request('POST /_local/merchants')
    const key = merchants.live.secret_key
    const charge = { amount: 1000, currency: 'JPY', payment_details: card('4242424242424242') }
    const costs: LiveCost[] = []
    const measured = async (name: string, route: string, json: object): Promise<Reply['body']> => {
      meter.take()
      const { status, text, body } = await request(api.url, route, { key, json })
      if (status !== 200) throw new Error(`${route} answered ${text}`)
      costs.push({ name, costs: meter.take(), is_charge: route === 'POST /payments' })
      return body
    }
    const onCharge = (operation: string) => `POST /payments/:id/${operation}`
    const made = async (json: object): Promise<string> =>
      (await request(api.url, 'POST /payments', { key, json })).body.id
    await made(charge)
    const { id } = await measured('POST /payments', 'POST /payments', charge)
    const { id: held } = await measured('POST /payments, a hold', 'POST /payments', { ...charge, capture: false })
    await measured(onCharge('capture'), `POST /payments/${held}/capture`, {})
    await measured(onCharge('refund'), `POST /payments/${id}/refund`, { amount: 1 })
    const cancelled = await made({ ...charge, capture: false })
    await measured(onCharge('cancel'), `POST /payments/${cancelled}/cancel`, {})
    return costs
  } finally {
    unmeter()
    await api.close()
  }
}

/** Counts the requests of the SDK as calls of the acquirer. Returns a function that ends this. */
function meterStripe(meter: PlatformMeter): () => void {
  const create = Stripe.createNodeHttpClient
  Stripe.createNodeHttpClient = (agent) => {
    const client = create(agent)
    const makeRequest: typeof client.makeRequest = (...input) => meter.ofAcquirer(() => client.makeRequest(...input))
    return { getClientName: () => client.getClientName(), makeRequest }
  }
  return () => {
    Stripe.createNodeHttpClient = create
  }
}
