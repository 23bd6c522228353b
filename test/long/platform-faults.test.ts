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
 * Calls of every port fail, before or after they take effect, below the retries of the AWS SDK. Hardly any request
 * fails, nothing is done twice, and every event is delivered. AWS is emulated over the local ports.
 */

const CONCURRENT_REQUESTS = 16
const DAY = 86_400
/** A time in seconds that is longer than a failed request holds the lease of its idempotency key. */
const LEASE = 41

const event_list = ['payment.captured', 'payment.refund.created', 'customer.created', 'subscription.created']

type Plan = (operation: string) => CallFate

/** Returns the plan with a change: one transaction in twenty takes effect and loses its response. */
function losingTransactions(plan: Plan): Plan {
  const isOneInTwenty = oneIn(20, 3)
  return (operation) =>
    operation.endsWith('.TransactWriteItems') && isOneInTwenty() !== 'ok' ? 'lost' : plan(operation)
}

interface Run {
  readonly condition: string
  readonly requests: number
  readonly plan: Plan
  readonly forgets_tokens: boolean
  /** How functions call their platform in the days between the requests: through the SDK, or directly. */
  readonly days_through: SdkService['through']
  /** The maximum number of requests that are answered with 5xx on their first try. */
  readonly failed_max: number
  /** The minimum count of each fault, and of lost responses. */
  readonly least: { readonly met: number; readonly lost: number }
}

const runs: readonly Run[] = [
  {
    condition: 'one call in a hundred failing',
    ...{ requests: 3_000, plan: oneIn(100, 1), forgets_tokens: false },
    // Background work has faults in the other run, which has fewer requests and more faults.
    days_through: 'ports',
    ...{ failed_max: 3, least: { met: 10, lost: 10 } },
  },
  {
    // Only the versions show that a repeated transaction was already applied. moto is such a table too and has a test
    // of its own. A repeated deletion cannot be recognized, so each deletion whose response is lost counts as failed.
    condition: 'one transaction in twenty losing its response on a table that ignores ClientRequestToken',
    ...{ requests: 1_500, plan: losingTransactions(oneIn(100, 2)), forgets_tokens: true },
    days_through: 'sdk',
    ...{ failed_max: 15, least: { met: 10, lost: 40 } },
  },
]

describe.each(runs)('with $condition', ({ requests, plan, forgets_tokens, days_through, failed_max, least }) => {
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
    await client.ask('POST /webhooks', { url: `${receiver.origin}/hook`, event_list: event_list })
    service.endpoint.plan = plan
    wrong.push(...(await travel(client, requests / 10, CONCURRENT_REQUESTS)))
    service.through = days_through
    // In this time, the next interval of a subscription and the settlement of the week fall due. If a sweep fails, the
    // next one continues.
    for (let day = 0; day < 8; day++) await service.advance(DAY).catch(() => undefined)
    service.through = 'sdk'
    wrong.push(...(await travel(client, requests, CONCURRENT_REQUESTS)))
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

  /** The number of requests of a route that got their final response. */
  const answered = (route: string) => client.sent.filter((sent) => sent.route === route).length

  test('hardly any request is answered with 5xx, and all have the expected results in the end', () => {
    for (const fault of faults) expect(met[fault], fault).toBeGreaterThan(least.met)
    expect(met.lost).toBeGreaterThan(least.lost)
    const failed = client.sent.filter(({ first }) => first >= 500)
    console.info(
      `${client.sent.length} requests, ${JSON.stringify(met)}, ${failed.length} answered with 5xx on the first try`,
    )
    expect(client.sent.length).toBeGreaterThanOrEqual(requests)
    expect(failed.length, JSON.stringify(failed)).toBeLessThanOrEqual(failed_max)
    expect(wrong).toEqual([])
  })

  test('every request took effect once', () => {
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

  test('the acquirer charged each payment once, and nothing else', () => {
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
    const asked = idsOf('event', ({ pk, type }) => event_list.includes(type as string) && pk.includes(service.test.id))
    expect(asked.length).toBeGreaterThan(requests / 10)
    expect(asked.filter((id) => !delivered.has(id))).toEqual([])
  })

  test('no invariant is violated', async () => {
    const { table, clock } = service.platform
    const findings = await reconcile({ table, openSpool: () => new SqliteSpool(), now: () => clock.now() })
    expect(findings.flatMap(({ violations }) => violations)).toEqual([])
    expect(inconsistencies(items, { settled: true })).toEqual([])
  })
})
