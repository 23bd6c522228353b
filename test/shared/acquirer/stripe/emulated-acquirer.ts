import type { Acquirer, Order } from '#shared/acquirer/acquirer.ts'
import { stripe } from '#shared/acquirer/stripe/acquirer.ts'
import type { StripeAccess } from '#shared/acquirer/stripe/calls.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { LogEntry } from '#shared/platform/ports.ts'
import { orderRecord } from '#test/fixtures/records.ts'
import type { Exchange } from '#test/fixtures/stripe/emulator.ts'
import type { Form } from '#test/fixtures/stripe/form.ts'
import { TurnedClock } from '#test/fixtures/stripe/sdk.ts'
import { type RunningStripe, startStripe } from '#test/fixtures/stripe/server.ts'

/** The adapter of Stripe with a running emulator on a clock that tests turn. */
export interface EmulatedAcquirer extends RunningStripe {
  readonly acquirer: Acquirer
  readonly access: StripeAccess
  readonly clock: TurnedClock
  /** The lines that the adapter has logged. */
  readonly lines: LogEntry[]
  /** The names of the calls that the emulator has executed. */
  readonly calls: string[]
  /** The parameters of each creation that the emulator has executed, after the name of its call. */
  readonly created: [call: string, form: Form][]
  /** Returns the order of a charge of 1,100 JPY on a card that succeeds. Each has a payment of its own. */
  charge(fields?: Partial<Order>, number?: string): Order
  send(order: Order): ReturnType<Acquirer['send']>
  inquire(order: Order, final?: boolean): ReturnType<Acquirer['inquire']>
}

export const LIMIT_MS = 15_000

/** Returns the details of a card. */
export const cardOf = (number: string) => ({ type: 'credit_card', number, month: 12, year: 2040, name: 'A B' }) as const

export interface EmulatedOptions {
  readonly key?: string
  /** Whether an answer that would be late closes its connection at once, so that no test waits for a timeout. */
  readonly late_closes?: boolean
}

/** Starts an emulator and opens the adapter on it. */
export async function emulatedAcquirer(options: EmulatedOptions = {}): Promise<EmulatedAcquirer> {
  const { key = 'sk_test_emulator', late_closes = false } = options
  const clock = new TurnedClock()
  if (late_closes) clock.wait = () => Promise.reject(new Error('the answer is late'))
  const [lines, calls]: [LogEntry[], string[]] = [[], []]
  const created: [string, Form][] = []
  const onExchange = ({ call, form }: Exchange) => {
    calls.push(call)
    if (call.endsWith('.create')) created.push([call, form])
  }
  const running = await startStripe({ clock, key, onExchange })
  const access: StripeAccess = {
    secrets: { acquirer: async () => ({ api_key: key }), refetch: async () => undefined },
    clock,
    log: (line) => lines.push(line),
    stage: 'test',
    host: running.url,
  }
  const acquirer = stripe(access)
  let payments = 0
  return {
    ...{ ...running, acquirer, access, clock, lines, calls, created },
    charge(fields = {}, number = '4242424242424242') {
      const payment = `pay_x${++payments}`
      const key = `${payment}-1`
      const sent_at = timestamp(clock.now())
      const ids = { key, charge: key, payment, sent_at, deadline: timestamp(clock.now() + 3 * 86_400_000) }
      return orderRecord({ ...ids, details: cardOf(number), ...fields })
    },
    send: (order) => acquirer.send(order, LIMIT_MS),
    inquire: (order, final = false) => acquirer.inquire({ ...order, details: undefined }, { final }, LIMIT_MS),
  }
}
