import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { askAs, readyPath, rowsWithRequests } from '#test/fixtures/route-requests.ts'

/**
 * The platform is unavailable for a while. Every request is then refused, and afterwards everything works again by
 * itself.
 */

const points = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: points.around })
})
afterAll(() => api.close())

const order = { amount: 1000, currency: 'JPY', payment_details: card() }

describe.each(rowsWithRequests().map((row) => [row.route, row] as const))('%s', (_, row) => {
  const json = row.method === 'GET' ? undefined : row.contents[0]

  test('answers 503 while the platform is unavailable, and works afterwards', async () => {
    const path = await readyPath(row, askAs(api))
    const route = `${row.method} ${path}`
    points.arm(() => 'fail_before')
    const refused = await api.request(route, { json })
    points.disarm()
    expectEnvelope(refused, 'service_unavailable')
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await api.request(route, { json })).status).toBe(200)
  })

  test('answers 503, or 504 for an unknown outcome, if the platform becomes unavailable during the request', async () => {
    for (let at = 1; ; at++) {
      const path = await readyPath(row, askAs(api))
      points.arm(failingAt(at, 'fail_before', { is_killed: true }))
      const reply = await api.request(`${row.method} ${path}`, { json })
      points.disarm()
      if (reply.status === 200) break
      expectEnvelope(reply)
      const { code, details } = reply.body.error
      expect(['service_unavailable', 'gateway_timeout'], `at call ${at}`).toContain(code)
      if (code === 'gateway_timeout') expect(details.payment, `at call ${at}`).toMatch(/^pay_/)
    }
  })
})

describe('the clock', () => {
  test('continues after the platform was unavailable at a due time', async () => {
    const unknown = await api.request('POST /payments', {
      json: order,
      headers: { 'x-service-scenario': 'timeout_after_charge' },
    })
    const id = unknown.body.error.details.payment
    points.arm(() => 'fail_before')
    await api.advance(120).catch(() => undefined)
    points.disarm()
    expect((await api.request(`GET /payments/${id}`)).body.status).toBe('pending')
    await api.advance(3_600)
    expect((await api.request(`GET /payments/${id}`)).body.status).toBe('captured')
  })

  test.each(['fail_before', 'fail_after'] as const)('continues after any of its calls failed: %s', async (fate) => {
    const run = async (at: number) => {
      const headers = { 'x-service-scenario': 'timeout_after_charge' }
      const { body } = await api.request('POST /payments', { json: order, headers })
      points.arm(failingAt(at, fate))
      await api.advance(61).catch(() => undefined)
      points.disarm()
      const { calls } = points
      await api.advance(3_600)
      const { status } = (await api.request(`GET /payments/${body.error.details.payment}`)).body
      expect(status, `at call ${at}`).toBe('captured')
      return calls
    }
    const calls = await run(0)
    // A sweep makes hundreds of similar calls. The calls of the work itself follow them.
    for (let at = 1; at < calls; at += 211) await run(at)
    for (let at = calls - 8; at <= calls; at++) await run(at)
  })

  test('leaves all records consistent', async () => {
    await api.advance(86_400)
    expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
  })
})
