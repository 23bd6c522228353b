import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { ApiAnswer } from '#test/fixtures/stripe/emulator.ts'
import { type EmulatedAcquirer, emulatedAcquirer } from './emulated-acquirer.ts'

let emulated: EmulatedAcquirer
/** Changes the answers whose request matches. */
let changes: { readonly request: RegExp; readonly change: (answer: ApiAnswer) => ApiAnswer } | undefined
beforeAll(async () => {
  emulated = await emulatedAcquirer()
  const { emulator } = emulated
  const handle = emulator.handle.bind(emulator)
  emulator.handle = async (request, signal) => {
    const answer = await handle(request, signal)
    return changes?.request.test(`${request.method} ${request.path}`) ? changes.change(answer) : answer
  }
})
afterAll(() => emulated.stop())
beforeEach(() => {
  changes = undefined
  emulated.lines.length = 0
})

type Json = Record<string, unknown>

const fields = (change: (object: Json) => Json) => (answer: ApiAnswer) => ({
  ...answer,
  body: JSON.stringify(change(JSON.parse(answer.body))),
})

const CREATE = /^POST .*payment_intents$/
const CONFIRM = /^POST .*confirm$/
const READ = /^GET .*payment_intents/

/** The names of what the adapter has logged, each with the field that is wrong. */
const alarms = () => emulated.lines.map(({ event, provider_code }) => `${event} ${provider_code}`)

const without = ({ id: _, ...rest }: Json) => rest

describe('a charge whose answer is not what Stripe describes has an unknown outcome', () => {
  test.each<[string, (intent: Json) => Json]>([
    ['id', (intent) => ({ ...intent, id: 'pi_other' })],
    ['currency', ({ currency: _, ...rest }) => rest],
    ['amount_received', (intent) => ({ ...intent, amount_received: '1100' })],
    ['metadata', (intent) => ({ ...intent, metadata: null })],
    ['status', (intent) => ({ ...intent, status: 5 })],
    ['object', (intent) => ({ ...intent, object: 'refund_of_a_kind' })],
    ['livemode', (intent) => ({ ...intent, livemode: true })],
    ['livemode', (intent) => ({ ...intent, livemode: 'false' })],
    ['latest_charge', (intent) => ({ ...intent, latest_charge: 5 })],
    [
      'next_action.redirect_to_url.url',
      (intent) => ({ ...intent, next_action: { type: 'redirect_to_url', redirect_to_url: { url: 'javascript:a()' } } }),
    ],
  ])('%s', async (field, change) => {
    const order = emulated.charge()
    changes = { request: CONFIRM, change: fields(change) }
    const error = await emulated.send(order).catch((reason: unknown) => reason)
    expect(error).toBeInstanceOf(OutcomeUnknown)
    expect(alarms()).toEqual([`acquirer_unexpected ${field}`])
    changes = undefined
    const { reference } = error as OutcomeUnknown
    expect(await emulated.inquire({ ...order, reference: reference! })).toMatchObject({ result: 'captured', reference })
  })

  test('although the repeated creation of a final inquiry returns no id', async () => {
    const order = emulated.charge()
    expect(await emulated.send(order)).toMatchObject({ result: 'captured' })
    changes = { request: CREATE, change: fields(without) }
    await expect(emulated.inquire(order, true)).rejects.toBeInstanceOf(OutcomeUnknown)
  })

  test('although a look-up returns another PaymentIntent', async () => {
    const [order, other] = [emulated.charge(), emulated.charge()]
    const { reference } = await emulated.send(order)
    await emulated.send(other)
    const id = [...emulated.emulator.account.payment_intents.keys()].at(-1)
    changes = { request: READ, change: fields((intent) => ({ ...intent, id })) }
    await expect(emulated.inquire({ ...order, reference: reference! })).rejects.toBeInstanceOf(OutcomeUnknown)
  })

  test.each([400, 402, 404])('although its confirmation fails with %i of an unknown type', async (status) => {
    changes = { request: CONFIRM, change: () => ({ status, headers: {}, body: '{"error":{}}', arrives: 'whole' }) }
    await expect(emulated.send(emulated.charge())).rejects.toBeInstanceOf(OutcomeUnknown)
  })
})

test.each([0, -5, 1101])('a void that finds %i taken of 1,100 has an unknown outcome', async (amount_received) => {
  const order = emulated.charge()
  const { reference } = await emulated.send(order)
  const because = 'cancelled'
  const ids = { key: `${order.payment}-2`, of: reference!, details: undefined }
  changes = { request: READ, change: fields((intent) => ({ ...intent, amount_received })) }
  await expect(emulated.send({ ...order, ...ids, operation: 'void', because })).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(alarms()).toEqual(['acquirer_unexpected amount_received'])
})

test('a refund whose list of refunds cannot be read has an unknown outcome', async () => {
  const order = emulated.charge()
  const { reference } = await emulated.send(order)
  const refund = {
    ...order,
    operation: 'refund',
    key: `${order.payment}-2`,
    of: reference!,
    details: undefined,
  } as const
  changes = { request: /^GET .*refunds/, change: fields(() => ({ object: 'list', has_more: false })) }
  await expect(emulated.inquire(refund)).rejects.toBeInstanceOf(OutcomeUnknown)
  expect(alarms()).toEqual(['acquirer_unexpected data'])
})
