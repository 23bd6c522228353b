import { randomBytes, randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { stableValues } from '#infra/openapi/stable-values.ts'
import { creationTimeOf, idOf } from '#shared/domain/ids.ts'

const AT = Date.parse('2030-01-15T01:00:00Z')

/** What a run could have recorded, with other random values in each run. */
function recorded() {
  const [payment, refund] = [idOf('payment', AT, randomBytes(16)), idOf('refund', AT, randomBytes(16))]
  return {
    id: payment,
    url: `http://127.0.0.1:${1024 + (randomBytes(1)[0] ?? 0)}/pages/${payment}`,
    refunds: [{ id: refund, payment }],
    request_id: randomUUID(),
    key: `sk_test_${randomBytes(16)
      .toString('hex')
      .replaceAll(/[^0-9a-f]/g, '0')}`,
    latency_ms: randomBytes(1)[0],
    order_id: String(10_000_000 + randomBytes(3).readUIntBE(0, 3)),
    amount: 1000,
    at: '2030-01-15T01:00:00Z',
  }
}

const stable = (value: ReturnType<typeof recorded>) =>
  stableValues(value, { [new URL(value.url).origin]: 'https://api.example.com' })

test('two recordings with other random values become equal', () => {
  expect(stable(recorded())).toEqual(stable(recorded()))
})

test('a value keeps its form and is the same wherever it occurs', () => {
  const before = recorded()
  const after = stable(before)
  expect(after.id).toMatch(/^pay_[0-9a-z]{26}$/)
  expect(after.id).not.toBe(before.id)
  expect(creationTimeOf(after.id)).toBe(AT)
  expect(after.url).toBe(`https://api.example.com/pages/${after.id}`)
  expect(after.refunds[0]!.payment).toBe(after.id)
  expect(after.request_id).toMatch(/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)
  expect(after.order_id).toMatch(/^\d{8}$/)
  expect(after.key).toMatch(/^sk_test_[0-9a-z]{32}$/)
})

test('values that are not random stay', () => {
  expect(stable(recorded())).toMatchObject({ amount: 1000, at: '2030-01-15T01:00:00Z' })
})

test('the digits of a request stay, so that they match what the response shows of them', () => {
  const recording = { request: { content: { account_number: '1234567' } }, body: { account_number: '7654321' } }
  const { request, body } = stableValues(recording, {})
  expect(request).toEqual(recording.request)
  expect(body.account_number).toMatch(/^\d{7}$/)
  expect(body.account_number).not.toBe('7654321')
})
