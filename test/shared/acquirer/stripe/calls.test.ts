import { once } from 'node:events'
import { ClientRequest, createServer, type IncomingMessage } from 'node:http'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { StripeCalls } from '#shared/acquirer/stripe/calls.ts'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'
import { type EmulatedAcquirer, emulatedAcquirer } from './emulated-acquirer.ts'

/** A timeout that the SDK has set for a request. `end` is what happens when its time is over. */
interface Timeout {
  readonly request: string
  readonly milliseconds: number
  readonly end: () => void
}

/** The timeouts in the order of their requests. No timeout ends by itself, so no test waits for one. */
const timeouts: Timeout[] = []
let onTimeoutSet: () => void
let emulated: EmulatedAcquirer

beforeAll(async () => {
  emulated = await emulatedAcquirer()
})
afterAll(() => emulated.stop())
beforeEach(() => {
  timeouts.length = 0
  onTimeoutSet = () => {}
  vi.spyOn(ClientRequest.prototype, 'setTimeout').mockImplementation(function (this: ClientRequest, milliseconds, end) {
    const path = this.path.replace(/pi_\w+/, ':id').replace(/\?.*/, '')
    timeouts.push({ request: `${this.method} ${path}`, milliseconds, end: end! })
    onTimeoutSet()
    return this
  })
})
afterEach(() => {
  vi.restoreAllMocks()
})

const timesOf = () => Object.fromEntries(timeouts.map(({ request, milliseconds }) => [request, milliseconds]))

const CREATE = 'POST /v1/payment_intents'
const CONFIRM = 'POST /v1/payment_intents/:id/confirm'
const METHOD = 'POST /v1/payment_methods'

describe('a call', () => {
  test('that creates may take 4 s, a confirmation 12 s, and every other call 15 s', async () => {
    const charge = emulated.charge({ capture: false })
    const { reference } = await emulated.acquirer.send(charge, 20_000)
    await emulated.acquirer.inquire({ ...charge, reference: reference! }, {}, 20_000)
    const of = { ...charge, of: reference!, details: undefined, attempt: 2 }
    await emulated.acquirer.send({ ...of, operation: 'capture', key: 'capture' }, 20_000)
    await emulated.acquirer.send({ ...of, operation: 'refund', key: 'refund' }, 20_000)
    expect(timesOf()).toEqual({
      ...{ [CREATE]: 4_000, [METHOD]: 4_000, [CONFIRM]: 12_000 },
      'GET /v1/payment_intents/:id': 15_000,
      'POST /v1/payment_intents/:id/capture': 15_000,
      'POST /v1/refunds': 15_000,
    })
  })

  test('may take no longer than the time that is left of its operation', async () => {
    await emulated.acquirer.send(emulated.charge(), 3_000)
    expect(timesOf()).toEqual({ [CREATE]: 3_000, [METHOD]: 3_000, [CONFIRM]: 3_000 })
  })

  test('has what the calls before it have left', async () => {
    onTimeoutSet = () => {
      if (timeouts.length === 2) emulated.clock.advance(10)
    }
    await emulated.acquirer.send(emulated.charge(), 15_000)
    expect(timesOf()).toEqual({ [CREATE]: 4_000, [METHOD]: 4_000, [CONFIRM]: 5_000 })
  })

  test('is not made once no time is left, and its outcome is unknown', async () => {
    onTimeoutSet = () => {
      if (timeouts.length === 2) emulated.clock.advance(15)
    }
    await expect(emulated.acquirer.send(emulated.charge(), 15_000)).rejects.toMatchObject({
      name: 'OutcomeUnknown',
      reference: expect.stringMatching(/^pi_/),
    })
    expect(timesOf()).not.toHaveProperty(CONFIRM)
  })
})

describe('a call without an answer', () => {
  const requests: IncomingMessage[] = []
  const server = createServer((request) => {
    requests.push(request)
    // The request has arrived: now its time is over.
    timeouts.at(-1)!.end()
  })
  let url: string
  beforeAll(async () => {
    url = await startServer(server)
  })
  afterAll(() => stopServer(server))

  test('closes its connection when its time is over, and its outcome is unknown', async () => {
    const calls = new StripeCalls({ ...emulated.access, host: url }, 15_000)
    const confirmed = calls.call(
      (stripe, options) => stripe.paymentIntents.confirm('pi_1', {}, options),
      { limit: 'confirm' },
      'pi_1',
    )
    await expect(confirmed).rejects.toMatchObject({ name: 'OutcomeUnknown', reference: 'pi_1' })
    const [request] = requests
    if (!request!.socket.destroyed) await once(request!.socket, 'close')
    expect(requests).toHaveLength(1)
    expect(timesOf()).toEqual({ [CONFIRM]: 12_000 })
  })
})
