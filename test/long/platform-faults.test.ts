import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SqliteSpool } from '#infra/operate/sqlite-spool.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { reconcile } from '#shared/operations/reconcile.ts'
import type { Item } from '#shared/platform/ports.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { type CallFate, faults, oneIn } from '#test/faults/faulty-endpoint.ts'
import { Client, travel } from '#test/faults/retrying-client.ts'
import { openSdkService, type SdkService } from '#test/faults/sdk-service.ts'
import { openReceiver, type Receiver } from '#test/fixtures/receiver.ts'

/**
 * Calls of every port fail, before they are done or after, beneath the retries of the genuine SDK: hardly a merchant sees
 * anything of it, nothing is done twice, and nobody is left untold. AWS is an emulation over the ports of one machine.
 */

const AT_ONCE = 16
const DAY = 86_400
/** Longer than a request that fails keeps its key. */
const LEASE = 41

const told = ['payment.captured', 'payment.refund.created', 'customer.created', 'subscription.created']

type Plan = (operation: string) => CallFate

/** Beside the faults of `plan`, one transaction in twenty is done and its answer lost. */
function losingTransactions(plan: Plan): Plan {
  const isOneInTwenty = oneIn(20, 3)
  return (operation) =>
    operation.endsWith('.TransactWriteItems') && isOneInTwenty() !== 'ok' ? 'lost' : plan(operation)
}

interface Run {
  readonly weather: string
  readonly requests: number
  readonly plan: Plan
  readonly forgets_tokens: boolean
  /** How the days between the requests are turned. */
  readonly days_through: SdkService['through']
  /** How many requests may be answered with 5xx at first. */
  readonly failed_max: number
  /** How often each fault is met at least, and the loss of an answer. */
  readonly least: { readonly met: number; readonly lost: number }
}

const runs: readonly Run[] = [
  {
    weather: 'one call in a hundred failing',
    ...{ requests: 3_000, plan: oneIn(100, 1), forgets_tokens: false },
    // What works in the background meets the weather in the other run, where there is less of it and more weather.
    days_through: 'ports',
    ...{ failed_max: 3, least: { met: 10, lost: 10 } },
  },
  {
    // The versions alone tell a transaction from the send before. moto is such a table too, and has its own such test.
    // A deletion is never known again, so that each whose answer is lost counts as failed.
    weather: 'one transaction in twenty answered to nobody by a table that knows no ClientRequestToken again',
    ...{ requests: 1_500, plan: losingTransactions(oneIn(100, 2)), forgets_tokens: true },
    days_through: 'sdk',
    ...{ failed_max: 15, least: { met: 10, lost: 40 } },
  },
]

describe.each(runs)('with $weather', ({ requests, plan, forgets_tokens, days_through, failed_max, least }) => {
  let service: SdkService
  let receiver: Receiver
  let client: Client
  let met: Readonly<Record<CallFate, number>>
  let items: readonly Item[]
  const wrong: string[] = []

  beforeAll(async () => {
    service = await openSdkService({ forgets_tokens })
    receiver = await openReceiver()
    client = new Client(service, service.test.secret_key, () => service.advance(LEASE).catch(() => undefined))
    await client.ask('POST /webhooks', { url: `${receiver.origin}/hook`, event_list: told })
    service.endpoint.plan = plan
    wrong.push(...(await travel(client, requests / 10, AT_ONCE)))
    service.through = days_through
    // A subscription's next interval falls due within, and the week's settlement; where a sweep fails, the next one goes on.
    for (let day = 0; day < 8; day++) await service.advance(DAY).catch(() => undefined)
    service.through = 'sdk'
    wrong.push(...(await travel(client, requests, AT_ONCE)))
    met = { ...service.endpoint.met }
    service.through = 'ports'
    await service.advance(DAY)
    items = [...service.platform.table.items()]
  }, 300_000)
  afterAll(async () => {
    await receiver.close()
    await service.close()
  })

  const itemsOf = (kind: string) => items.filter(({ pk, sk }) => sk === kind && pk.startsWith(`${kind}#`))
  const idsOf = (kind: string, fits: (item: Item) => boolean) =>
    itemsOf(kind).flatMap((item) => (fits(item) ? [item.id] : []))

  /** How many requests of a route were answered for good. */
  const answered = (route: string) => client.sent.filter((sent) => sent.route === route).length

  test('hardly a request is answered with 5xx, and all do in the end what they should', () => {
    for (const fault of faults) expect(met[fault], fault).toBeGreaterThan(least.met)
    expect(met.lost).toBeGreaterThan(least.lost)
    const failed = client.sent.filter(({ first }) => first >= 500)
    console.info(`${client.sent.length} requests, ${JSON.stringify(met)}, ${failed.length} answered with 5xx at first`)
    expect(client.sent.length).toBeGreaterThanOrEqual(requests)
    expect(failed.length, JSON.stringify(failed)).toBeLessThanOrEqual(failed_max)
    expect(wrong).toEqual([])
  })

  test('every request was done once', () => {
    const events = (type: string) => idsOf('event', (event) => event.type === type).length
    expect(events('customer.created')).toBe(answered('POST /customers'))
    expect(events('subscription.created')).toBe(answered('POST /subscriptions'))
    expect(itemsOf('session')).toHaveLength(answered('POST /sessions'))
    expect(itemsOf('file')).toHaveLength(answered('POST /files'))
    const orders = itemsOf('payment').flatMap(({ external_order_num }) => external_order_num ?? [])
    expect(new Set(orders).size).toBe(orders.length)
    expect(orders).toHaveLength(answered('POST /payments'))
    const refunds = client.sent.filter(({ route }) => /^POST .*\/refund$/.test(route)).length
    expect(events('payment.refund.created')).toBe(refunds)
  })

  test('the acquirer took each payment once, and nothing else', () => {
    const results = items.flatMap(({ pk, operation, outcome }) =>
      pk.startsWith('sandbox#') && operation === 'charge' ? (outcome as unknown as Outcome).result : [],
    )
    const charges = results.filter((result) => result !== 'declined')
    const charged = itemsOf('payment').filter(({ status, total }) => status !== 'failed' && total !== 0)
    expect(charged.length).toBeGreaterThan(requests / 10)
    expect(charges).toHaveLength(charged.length)
  })

  test('every event was delivered', () => {
    const delivered = new Set(receiver.received.map(({ body }) => JSON.parse(body.toString()).id))
    const asked = idsOf('event', ({ pk, type }) => told.includes(type as string) && pk.includes(service.test.id))
    expect(asked.length).toBeGreaterThan(requests / 10)
    expect(asked.filter((id) => !delivered.has(id))).toEqual([])
  })

  test('no invariant is broken', async () => {
    const { table, clock } = service.platform
    const findings = await reconcile({ table, openSpool: () => new SqliteSpool(), now: () => clock.now() })
    expect(findings.flatMap(({ violations }) => violations)).toEqual([])
    expect(inconsistencies(items, { settled: true })).toEqual([])
  })
})
