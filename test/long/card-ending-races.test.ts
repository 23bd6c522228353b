import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Write } from '#shared/platform/ports.ts'
import { type Arranged, arranged, endings, invalid_token, order, patches, uses } from '#test/faults/card-endings.ts'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints } from '#test/faults/crash-points.ts'
import { journalViolations } from '#test/faults/journal-violations.ts'
import { refusalIn } from '#test/faults/witness.ts'
import { type Api, card, openApi, type Reply } from '#test/fixtures/api.ts'

/**
 * A secure token of a customer's card is used while the card is removed or replaced. Each side is paused at each of its
 * platform calls while the other side runs to its end. The order of the committed transactions shows that no charge
 * begins after the card has ended.
 */

const points = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: points.around })
})
afterAll(() => api.close())

const charging = ['a payment', 'a payment with a key', 'a session']
const pairs = Object.keys(uses).flatMap((use) => Object.keys(endings).map((ending) => ({ use, ending })))

const nameOf = (write: Write) => ('put' in write ? write.put : 'delete' in write ? write.delete : write.check).pk

/**
 * The indexes of the transactions since `since` in which payments began, the acquirer got charges, and the card ended.
 */
function orderOf({ merchant, customer }: Arranged, since: number) {
  const journal = points.journal.slice(since)
  const indexesOf = (fits: (write: Write) => boolean) =>
    journal.flatMap((writes, index) => (writes.some(fits) ? index : []))
  return {
    begins: indexesOf((write) => 'put' in write && write.put.sk === 'payment' && write.put.version === 1),
    charges: indexesOf((write) => 'put' in write && write.put.sk === 'sandbox' && write.put.operation === 'charge'),
    ends: indexesOf((write) => !('check' in write) && nameOf(write) === `card#${merchant.id}#${customer}`),
  }
}

/**
 * Runs an act once for each of its platform calls. At that call, the act is paused while `meanwhile` runs to its end.
 */
async function pausedAtEachCall(
  act: (where: Arranged) => Promise<Reply>,
  meanwhile: (where: Arranged) => Promise<Reply>,
  look: (at: string, where: Arranged, replies: { first: Reply; other: Reply }, since: number) => void,
): Promise<void> {
  for (let at = 1, calls = 0; calls >= at - 1; at++) {
    const where = await arranged(api)
    const since = points.journal.length
    let other: Reply | undefined
    points.armMeanwhile(at, async () => {
      other = await meanwhile(where)
    })
    const first = await act(where)
    await points.held
    calls = points.calls
    points.disarm()
    if (other) look(`paused at call ${at}`, where, { first, other }, since)
    if (at === 1) expect(calls).toBeGreaterThan(1)
  }
}

/** Expects that every charge began before the card ended, and that the acquirer got no other charges. */
function expectNoneAfter(at: string, where: Arranged, since: number): void {
  const { begins, charges, ends } = orderOf(where, since)
  for (const begin of begins) expect(begin, at).toBeLessThan(ends[0]!)
  expect(charges.length, at).toBe(begins.length)
}

describe.each(pairs)('a secure token for $use, while $ending', ({ use, ending }) => {
  test('is used before the card ends or is refused, whichever platform call of the use is paused', async () => {
    const outcomes = new Set<string>()
    await pausedAtEachCall(
      (where) => uses[use]!(where, where.token),
      endings[ending]!,
      (at, where, { first, other }, since) => {
        outcomes.add(first.body.error?.code ?? 'used')
        expect(other.status, at).toBe(200)
        if (charging.includes(use)) expectNoneAfter(at, where, since)
      },
    )
    const gone = ending === 'the customer is deleted' && use === 'the customer themselves'
    expect(outcomes).toContain(gone ? 'not_found' : 'invalid_token')
    expect([...outcomes].filter((outcome) => !['used', 'invalid_token', 'not_found'].includes(outcome))).toEqual([])
  })

  test('is used before the card ends or is refused, whichever platform call of the ending is paused', async () => {
    await pausedAtEachCall(
      endings[ending]!,
      (where) => uses[use]!(where, where.token),
      (at, where, { first, other }, since) => {
        expect(first.status, at).toBe(200)
        expect(['used', 'invalid_token', 'not_found'], at).toContain(other.body.error?.code ?? 'used')
        if (charging.includes(use)) expectNoneAfter(at, where, since)
      },
    )
  })
})

test.each(Object.keys(endings))(
  'no charge begins after the card has ended among concurrent charges, while %s',
  async (ending) => {
    const where = await arranged(api, 12)
    const since = points.journal.length
    const pay = (token: string) => uses['a payment']!(where, token)
    const [before, ended, after] = await Promise.all([
      Promise.all(where.tokens.slice(0, 6).map(pay)),
      endings[ending]!(where),
      Promise.all(where.tokens.slice(6).map(pay)),
    ])
    expect(ended.status).toBe(200)
    for (const { body } of [...before, ...after]) expect([undefined, 'invalid_token']).toContain(body.error?.code)
    expectNoneAfter('at once', where, since)
    for (const token of where.tokens) expect(refusalIn(await pay(token))).toEqual(invalid_token)
  },
)

test('concurrent charges of one customer by secure tokens all succeed', async () => {
  const where = await arranged(api, 12)
  const replies = await Promise.all(where.tokens.map((token) => uses['a payment']!(where, token)))
  expect(replies.map(({ status }) => status)).toEqual(where.tokens.map(() => 200))
})

test('a charge of a customer uses the card that is stored when the charge begins', async () => {
  await pausedAtEachCall(
    ({ send, customer }) => send('POST /payments', { json: { ...order, customer } }),
    async (where) => {
      await patches(where, { payment_details: null })
      return patches(where, { payment_details: card('5555555555554444') })
    },
    (at, where, { first, other }, since) => {
      expect([first.status, other.status], at).toEqual([200, 200])
      const { begins, ends } = orderOf(where, since)
      const is_late = begins[0]! > ends[1]!
      expect(first.body.payment_details.last_four_digits, at).toBe(is_late ? '4444' : '0100')
    },
  )
})

test('all records are consistent after all races', async () => {
  await api.advance(3_600)
  expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
  expect(journalViolations(points.journal)).toEqual([])
})
