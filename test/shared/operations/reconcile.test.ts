import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SqliteSpool } from '#infra/operate/sqlite-spool.ts'
import { checks } from '#shared/operations/checks.ts'
import { reconcile } from '#shared/operations/reconcile.ts'
import type { Item, WholeTable, Write } from '#shared/platform/ports.ts'
import { openUsedService, type UsedService } from '#test/fixtures/used-service.ts'

let life: UsedService
beforeAll(async () => {
  life = await openUsedService()
})
afterAll(() => life.close())

const look = (more: object = {}) => {
  const { table, clock } = life.api.platform
  return reconcile({ table, openSpool: () => new SqliteSpool(), now: () => clock.now(), ...more })
}

/** The violations of each check that finds any. */
const wrong = async (more?: object) =>
  Object.fromEntries(
    (await look(more)).flatMap(({ name, violations }) => (violations.length ? [[name, violations]] : [])),
  )

const all = () => [...life.api.platform.table.items()]

const find = (fits: (item: Item) => unknown): Item => {
  const item = all().find(fits)
  if (!item) throw new Error('there is no such item to break')
  return item
}

/** Breaks the table, reconciles it and restores it. */
async function findings(write: Write): Promise<Record<string, string[]>> {
  const { table } = life.api.platform
  const key = 'put' in write ? write.put : 'delete' in write ? write.delete : write.check
  const [before] = await table.get([{ pk: key.pk, sk: key.sk }])
  await table.write([write])
  const found = await wrong()
  await table.write([before ? { put: before } : { delete: { pk: key.pk, sk: key.sk } }])
  return found
}

const without = ({ pk, sk }: Item): Write => ({ delete: { pk, sk } })
const record = (id: string) => find(({ pk, sk }) => pk.endsWith(`#${id}`) && sk === pk.split('#')[0] && sk !== 'card')
const eventOf = (id: string, type: string) =>
  find((item) => item.sk === 'event' && item.type === type && (item.about as { id: string }).id === id)

describe('reconcile', () => {
  test('finds no violation after a journey, and every check examines something', async () => {
    const found = await look()
    expect(found.filter(({ violations }) => violations.length > 0)).toEqual([])
    expect(found.map(({ name }) => name)).toEqual([...checks.map(({ name }) => name), 'due records are processed'])
    expect(found.filter(({ checked }) => checked === 0)).toEqual([])
  })

  test.each<[string, string, () => Write, RegExp]>([
    [
      'a missing event',
      'records have the events that their states require',
      () => without(eventOf(life.paid, 'payment.captured')),
      /should have 1 events of type payment.captured, not 0/,
    ],
    [
      'an event of a missing record',
      'events are about records that exist',
      () => without(record(settlementId())),
      /events are about stl_\w+, which does not exist/,
    ],
    [
      'a missing delivery',
      'events have their deliveries or their outbox row',
      () => without(find(({ sk, webhook }) => sk === 'delivery' && webhook === life.webhook)),
      /whk_\w+ has no delivery of evt_/,
    ],
    [
      'a missing attempt of a delivery',
      'deliveries match their attempts',
      () => without(find(({ pk, sk }) => pk.startsWith('delivery#') && sk.startsWith('attempt#'))),
      /counts 1 attempts but has 0/,
    ],
    [
      'a missing delivery to a webhook of a payment',
      'webhooks of payments have their deliveries',
      () => without(find(({ sk, entry }) => sk === 'delivery' && entry === 0)),
      /webhook 0 of pay_\w+ has no delivery/,
    ],
    [
      'a slot of a webhook that names another webhook',
      'webhooks do not share slots',
      () => ({ put: { ...find(({ sk }) => sk === 'webhook_slot'), webhook: 'whk_other' } }),
      /whk_\w+ has slot \d+, which names whk_other/,
    ],
    [
      'a missing slot of a webhook',
      'webhooks do not share slots',
      () => without(find(({ sk }) => sk === 'webhook_slot')),
      /whk_\w+ has slot \d+, which names no webhook/,
    ],
    [
      'a refund that is not counted',
      'the refunds of a payment add up',
      () => ({ put: { ...record(life.refunded), amount_refunded: 400 } }),
      /has refunds of 1000 but an amount_refunded of 400/,
    ],
    [
      'a refund above what was paid',
      'the refunds of a payment add up',
      () => ({ put: { ...record(life.refunded), total: 900 } }),
      /refunded 1000 of 900/,
    ],
    [
      'an open charge without inquiries',
      'operations have an outcome or a next inquiry',
      () => ({ put: { ...attemptOf(life.paid), outcome: null } }),
      /has no due inquiry|has had no outcome since/,
    ],
    [
      'a paid payment that was never charged',
      'paid payments are charged once',
      () => ({ put: { ...attemptOf(life.paid), outcome: { result: 'declined', code: 'card_declined' } } }),
      /is paid but was never charged/,
    ],
    [
      'an active subscription that is never due',
      'continuing subscriptions are due',
      () => {
        const { due_at, due_shard, ...rest } = record(life.subscription)
        return { put: rest as Item }
      },
      /is active with its next capture \S+, but due never/,
    ],
    [
      'a paid session that is pending',
      'sessions are completed if they are paid',
      () => ({ put: { ...record(life.session), status: 'pending' } }),
      /is pending but was paid/,
    ],
    [
      'a missing card',
      'cards belong to their customers',
      () => without(find(({ pk }) => pk.startsWith('card#'))),
      /the source of \w+ does not match its stored card/,
    ],
    [
      'a missing list entry',
      'list entries match their records',
      () => without(find(({ pk, sk }) => pk.startsWith('list#payment#') && sk === life.paid)),
      /lacks 1 of its list entries/,
    ],
    [
      'a list entry with another facet',
      'list entries match their records',
      () => ({ put: { ...find(({ pk, sk }) => pk.startsWith('list#') && sk === life.paid), facet: 'pending/JPY' } }),
      /lacks 1 of its list entries/,
    ],
    [
      'a list entry without a record',
      'list entries match their records',
      () => ({ put: { ...find(({ pk }) => pk.startsWith('list#payment#')), sk: 'pay_01hzzzzzzzzzzzzzzzzzzzzzzz' } }),
      /has 1 list entries that do not match it/,
    ],
    [
      'a revoked API key that is still valid',
      'API keys have their credential',
      () => ({ put: { ...find(({ sk }) => sk === 'api_key'), revoked_at: '2030-01-02T03:00:00Z' } }),
      /expire at different times/,
    ],
    [
      'payment details in an expired secure token',
      'secure tokens hold no payment details after they expire',
      () => ({ put: { ...find(({ sk }) => sk === 'secure_token'), sealed: 'c2VhbGVk' } }),
      /tok_\w+ still holds payment details/,
    ],
    [
      'payment details in a secure token that failed 3-D Secure',
      'secure tokens hold no payment details after they expire',
      () => ({
        put: {
          ...find(({ sk }) => sk === 'secure_token'),
          ...{ sealed: 'c2VhbGVk', verification_status: 'ERRORED', expires_at: '2099-01-01T00:00:00Z' },
        },
      }),
      /tok_\w+ still holds payment details/,
    ],
    [
      'something that is due and not done',
      'due records are processed',
      () => ({ put: { ...record(life.subscription), due_at: '2030-01-02T03:00:00Z' } }),
      /is due since 2030-01-02T03:00:00Z/,
    ],
  ])('finds %s', async (_, name, breaks, says) => {
    const found = await findings(breaks())
    expect(Object.keys(found)).toContain(name)
    expect(found[name]!.join('\n')).toMatch(says)
    expect(await wrong()).toEqual({})
  })

  test('ignores an inconsistency that disappears while it looks', async () => {
    const { table, clock } = life.api.platform
    const entry = find(({ pk, sk }) => pk.startsWith('list#payment#') && sk === life.paid)
    await table.write([without(entry)])
    let looks = 0
    const healing: Pick<WholeTable, 'scan' | 'get'> = {
      get: (keys) => table.get(keys),
      async scan(range) {
        if (range.after === undefined) looks += 1
        if (looks === 2) await table.write([{ put: entry }])
        return table.scan(range)
      },
    }
    const found = await reconcile({ table: healing, openSpool: () => new SqliteSpool(), now: () => clock.now() })
    expect([looks, found.flatMap(({ violations }) => violations)]).toEqual([2, []])
  })

  test('accepts a webhook that was created before slots existed', async () => {
    const { slot, ...webhook } = record(life.webhook)
    const entry = find(({ pk, sk }) => pk.startsWith('list#webhook#') && sk === life.webhook)
    const { table } = life.api.platform
    await table.write([{ put: webhook as Item }, { put: { ...entry, facet: '' } }])
    expect(await wrong()).toEqual({})
    await table.write([{ put: { ...webhook, slot } as Item }, { put: entry }])
  })

  test('checks one merchant only, if asked to', async () => {
    const entry = find(({ pk, sk }) => pk.startsWith('list#payment#') && sk === life.paid)
    await life.api.platform.table.write([without(entry)])
    expect(await wrong({ merchant: life.api.live.id })).toEqual({})
    expect(Object.keys(await wrong({ merchant: life.api.test.id }))).toHaveLength(1)
    await life.api.platform.table.write([{ put: entry }])
  })

  test('reports ids only, and nothing that a customer or merchant has written', async () => {
    const found = await findings(without(find(({ pk }) => pk.includes('#email#'))))
    expect(JSON.stringify(found)).toMatch(/cus_\w+ lacks/)
    expect(JSON.stringify(found)).not.toMatch(/@|example/)
  })
})

const settlementId = () => find(({ sk }) => sk === 'settlement').id as string

const attemptOf = (payment: string) => find(({ pk, sk }) => pk.endsWith(`#${payment}`) && sk.startsWith('attempt#'))
