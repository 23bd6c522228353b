import { readFileSync } from 'node:fs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { RunningStripe } from '#test/fixtures/stripe/server.ts'
import { type Driver, drivers, sdkDriver } from './driver.ts'
import { type EmulatorRun, runAtEmulator } from './emulator-run.ts'
import { TrafficSchema } from './schema.ts'

let schema: TrafficSchema

beforeAll(() => {
  schema = new TrafficSchema(inject('openapi'))
})

function violationsOf({ exchanges, events }: EmulatorRun): string[] {
  const inEvents = events.flatMap((event) => {
    const { object } = event.data.object
    return [...schema.violationsOf('event', event), ...schema.violationsOf(object, event.data.object)]
  })
  return [...exchanges.flatMap((exchange) => schema.violations(exchange)), ...inEvents]
}

describe("Stripe's API description", () => {
  test.for(Object.entries(drivers))('accepts all traffic of the emulator with %s', async ([name, makeDriver]) => {
    const run = await runAtEmulator(makeDriver)
    const violations = violationsOf(run)
    const { length } = run.exchanges
    const counts = `${length} requests, ${length} answers, ${run.events.length} events`
    console.log(`schema: ${counts}, ${violations.length} violations, with ${name}`)
    expect([...new Set(violations)]).toEqual([])
    expect(length).toBeGreaterThan(100)
  })

  test('accepts the example of its own publisher, without the field that it does not describe', () => {
    const { resources } = JSON.parse(readFileSync(`${inject('openapi')}/fixtures3.json`, 'utf8'))
    const { source, ...intent } = resources.payment_intent
    expect(source).toBeDefined()
    expect(schema.violationsOf('payment_intent', intent)).toEqual([])
  })

  /** Changes the object of each payment intent after its charge. */
  const changed =
    (change: Readonly<Record<string, unknown>>) =>
    (driver: Driver, { emulator }: RunningStripe) => ({
      ...driver,
      inquire: async (reference: string) => {
        const intent = emulator.account.payment_intents.get(reference)!
        const before = { ...intent }
        Object.assign(intent, change)
        await driver.inquire(reference)
        for (const name of Object.keys(change)) if (!(name in before)) delete intent[name as never]
        Object.assign(intent, before)
      },
    })

  test.for([
    ['a wrong enum', { capture_method: 'sometimes' }],
    ['a wrong type', { amount_received: '1000' }],
    ['a missing field', { created: undefined }],
    ['an unknown field', { mystery: 1 }],
  ] as const)('refuses %s', async ([, change]) => {
    const violations = violationsOf(await runAtEmulator(sdkDriver, changed(change)))
    expect(violations.length).toBeGreaterThan(0)
    expect(violations.every((violation) => violation.includes('GET /v1/payment_intents/{intent}: 200'))).toBe(true)
  })

  test('refuses an unknown parameter and an unknown value of a request', () => {
    const exchange = { call: 'paymentIntents.confirm', method: 'POST', status: 400 } as const
    const answer = { error: { type: 'invalid_request_error', message: 'no' } }
    const request = { method: 'POST', path: '', headers: {}, body: '' }
    const path = '/v1/payment_intents/{intent}/confirm'
    const violations = (form: never) => schema.violations({ ...exchange, path, request, answer, form })
    expect(violations({ return_url: 'https://shop.example' } as never)).toEqual([])
    expect(violations({ mystery: '1' } as never)).not.toEqual([])
    expect(violations({ payment_method_data: { type: 'card' } } as never)).not.toEqual([])
  })
})
