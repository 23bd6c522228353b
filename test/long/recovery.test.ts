import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { inconsistencies } from '#test/faults/consistency.ts'
import { CrashPoints, failingAt } from '#test/faults/crash-points.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { expectEnvelope } from '#test/fixtures/envelope.ts'
import { askAs, readyPath, rowsWithRequests } from '#test/fixtures/route-requests.ts'

/** The platform is gone for a while: nobody is told anything but that, and afterwards all works without any help. */

const points = new CrashPoints()
let api: Api
beforeAll(async () => {
  api = await openApi({ around: points.around })
})
afterAll(() => api.close())

const order = { amount: 1000, currency: 'JPY', payment_details: card() }

describe.each(rowsWithRequests().map((row) => [row.route, row] as const))('%s', (_, row) => {
  const json = row.method === 'GET' ? undefined : row.contents[0]

  test('says that the service is not available while the platform is gone, and works when it is back', async () => {
    const path = await readyPath(row, askAs(api))
    const route = `${row.method} ${path}`
    points.arm(() => 'fail_before')
    const refused = await api.request(route, { json })
    points.disarm()
    expectEnvelope(refused, 'service_unavailable')
    expect(refused.headers.get('retry-after')).toBe('5')
    expect((await api.request(route, { json })).status).toBe(200)
  })

  test('says so too when the platform goes away in the midst of it, or that the outcome is not known', async () => {
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

describe('what the clock does', () => {
  test('goes on by itself after the platform was gone when something fell due', async () => {
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

  test.each(['fail_before', 'fail_after'] as const)('goes on whichever call of it failed: %s', async (fate) => {
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
    // A sweep makes hundreds of calls that are all alike; behind them stands the work itself.
    for (let at = 1; at < calls; at += 211) await run(at)
    for (let at = calls - 8; at <= calls; at++) await run(at)
  })

  test('leaves nothing half done', async () => {
    await api.advance(86_400)
    expect(inconsistencies(api.platform.table.items(), { settled: true })).toEqual([])
  })
})
