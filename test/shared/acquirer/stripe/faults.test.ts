import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import { INQUIRY_WAITS_SECONDS } from '#shared/acquirer/inquiry-schedule.ts'
import type { Operation, Outcome } from '#shared/domain/payment.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { CallName } from '#test/fixtures/stripe/calls.ts'
import type { Fault, PlannedFault } from '#test/fixtures/stripe/faults.ts'
import { type EmulatedAcquirer, emulatedAcquirer, LIMIT_MS } from './emulated-acquirer.ts'

const faults: readonly Fault[] = [
  'never_arrives',
  'answer_lost',
  'answer_late',
  'cut_mid_body',
  'not_json',
  'stored_500',
  'unexecuted_500',
  'key_in_use',
  'rate_limit',
  'lock_timeout',
  'key_rolled',
  'notified_first',
]

/** An operation, and the calls that it can make. The calls of its inquiries only run after a lost answer. */
interface Flow {
  readonly name: string
  readonly operation: Operation
  readonly fields: Partial<Order>
  /** The charge that the operation is about. */
  readonly of?: Partial<Order>
  readonly calls: readonly CallName[]
  readonly inquiries: readonly { readonly call: CallName; readonly after: PlannedFault }[]
}

const after = (call: CallName, fault: Fault): PlannedFault => ({ call, fault })

const flows: readonly Flow[] = [
  {
    ...{ name: 'a charge', operation: 'charge', fields: {} },
    calls: ['paymentIntents.create', 'paymentMethods.create', 'paymentIntents.confirm'],
    inquiries: [
      { call: 'paymentIntents.retrieve', after: after('paymentIntents.confirm', 'answer_lost') },
      { call: 'paymentIntents.cancel', after: after('paymentIntents.confirm', 'never_arrives') },
      { call: 'paymentIntents.create', after: after('paymentIntents.create', 'answer_lost') },
    ],
  },
  {
    ...{ name: 'a hold', operation: 'charge', fields: { capture: false } },
    calls: ['paymentIntents.create', 'paymentMethods.create', 'paymentIntents.confirm'],
    inquiries: [{ call: 'paymentIntents.retrieve', after: after('paymentIntents.confirm', 'answer_lost') }],
  },
  {
    ...{ name: 'a capture', operation: 'capture', fields: { amount: 700 }, of: { capture: false } },
    calls: ['paymentIntents.capture'],
    inquiries: [{ call: 'paymentIntents.retrieve', after: after('paymentIntents.capture', 'answer_lost') }],
  },
  {
    ...{ name: 'a refund', operation: 'refund', fields: { amount: 300 }, of: {} },
    calls: ['refunds.create'],
    inquiries: [{ call: 'refunds.list', after: after('refunds.create', 'answer_lost') }],
  },
  {
    ...{ name: 'a void of a hold', operation: 'void', fields: { because: 'cancelled' }, of: { capture: false } },
    calls: ['paymentIntents.retrieve', 'paymentIntents.cancel'],
    inquiries: [],
  },
  {
    ...{ name: 'a void of unwanted money', operation: 'void', fields: { because: 'unwanted' }, of: {} },
    calls: ['paymentIntents.retrieve', 'refunds.list', 'refunds.create'],
    inquiries: [{ call: 'refunds.list', after: after('refunds.create', 'answer_lost') }],
  },
]

/** The two ways in which the service learns an unknown outcome: the sweep inquires, or the client repeats its request. */
const policies = ['the sweep', 'the client'] as const

let emulated: EmulatedAcquirer
beforeAll(async () => {
  emulated = await emulatedAcquirer({ late_closes: true })
})
afterAll(() => emulated.stop())
beforeEach(() => emulated.emulator.faults.clear())

/** Returns the outcome of a call; the id that was learned if the outcome is unknown. */
async function outcomeOr(call: Promise<Outcome>): Promise<Outcome | { readonly learned: string | null }> {
  try {
    return await call
  } catch (error) {
    if (error instanceof OutcomeUnknown) return { learned: error.reference ?? null }
    throw error
  }
}

/**
 * Runs an operation as the service does, until its outcome is known. An operation that the adapter repeats is looked up
 * and sent again. A charge is given up by a final inquiry of the sweep, or sent again by a client.
 */
async function settled(order: Order, policy: (typeof policies)[number]): Promise<Outcome> {
  const { acquirer, clock } = emulated
  const send = (known: Order) => acquirer.send(known, LIMIT_MS)
  const look = (known: Order, final: boolean) => acquirer.inquire({ ...known, details: undefined }, { final }, LIMIT_MS)
  let known = order
  let found = await outcomeOr(send(known))
  for (const wait of INQUIRY_WAITS_SECONDS) {
    if ('result' in found) return found
    known = { ...known, reference: known.reference ?? found.learned }
    clock.advance(wait)
    const is_given_up = policy === 'the sweep' && !acquirer.repeats.has(order.operation)
    found = await outcomeOr(look(known, is_given_up))
    if ('result' in found && found.result === 'never_arrived' && !is_given_up) found = await outcomeOr(send(known))
  }
  if ('result' in found) return found
  throw new Error('the outcome is still unknown when the schedule of inquiries ends')
}

/** What Stripe keeps of a payment: every yen that was taken, held or returned, and how many charges took money. */
function booksOf({ payment }: Order) {
  const { payment_intents, refunds, charges } = emulated.emulator.account
  const intents = [...payment_intents.values()].filter(({ metadata }) => metadata.payment === payment)
  const ids = new Set(intents.map(({ id }) => id))
  const of_charge = [...charges.values()].filter((it) => ids.has(it.payment_intent as string))
  // The release of a hold is a refund at Stripe that moves no money.
  const returned = [...refunds.values()].filter((it) => ids.has(it.payment_intent as string) && it.balance_transaction)
  return {
    taken: intents.reduce((sum, { amount_received }) => sum + amount_received, 0),
    held: intents.reduce((sum, { amount_capturable }) => sum + amount_capturable, 0),
    returned: returned.reduce((sum, { amount }) => sum + amount, 0),
    charges: of_charge.filter(({ status }) => status === 'succeeded').length,
    unfinished: intents.filter(({ status }) => status.startsWith('requires_') && status !== 'requires_capture').length,
  }
}

/** What Stripe must keep for the outcome that the service has recorded. */
function expected({ operation, fields }: Flow, { result }: Outcome) {
  const nothing = { taken: 0, held: 0, returned: 0, charges: 0 }
  const charged = { ...nothing, taken: 1100, charges: 1 }
  const held = { ...nothing, held: 1100, charges: 1 }
  if (operation === 'charge') return { captured: charged, authorized: held }[result as string] ?? nothing
  const is_done = result === 'done'
  if (operation === 'capture') return is_done ? { ...charged, taken: 700 } : held
  if (operation === 'refund') return { ...charged, returned: is_done ? 300 : 0 }
  if (fields.because === 'unwanted') return { ...charged, returned: is_done ? 1100 : 0 }
  return is_done ? { ...nothing, charges: 1 } : held
}

async function orderOf({ operation, fields, of }: Flow): Promise<Order> {
  if (!of) return emulated.charge(fields)
  const charge = emulated.charge(of)
  const { reference } = await emulated.send(charge)
  const sent_at = timestamp(emulated.clock.now())
  const ids = { operation, of: reference!, key: `${charge.payment}-2`, attempt: 2, sent_at }
  return { ...charge, ...ids, details: undefined, ...fields }
}

/** Runs a flow with faults and compares the books of Stripe with the outcome. Returns the outcome. */
async function run(flow: Flow, planned: readonly PlannedFault[], policy: (typeof policies)[number]): Promise<Outcome> {
  const order = await orderOf(flow)
  for (const plan of planned) emulated.emulator.faults.plan(plan)
  const outcome = await settled(order, policy)
  emulated.emulator.faults.clear()
  const { unfinished, ...books } = booksOf(order)
  expect(books).toEqual(expected(flow, outcome))
  if (policy === 'the sweep' && outcome.result === 'never_arrived') expect(unfinished).toBe(0)
  // Nothing changes afterwards: the outcome stays what it was, and no money moves.
  const again = await outcomeOr(emulated.inquire({ ...order, reference: outcome.reference ?? null }))
  if ('result' in again) expect(again.result).toBe(outcome.result)
  expect(booksOf(order)).toEqual({ ...books, unfinished })
  return outcome
}

describe.each(policies)('%s resolves', (policy) => {
  describe.each(flows)('$name', (flow) => {
    const calls = flow.calls.flatMap((call) => faults.map((fault) => [fault, call] as const))

    test.each(calls)('after %s at %s', async (fault, call) => {
      const outcome = await run(flow, [{ fault, call }], policy)
      if (policy === 'the client' || flow.operation !== 'charge') expect(outcome.result).not.toBe('never_arrived')
    })

    test.each(calls)('after %s at %s, three times in a row', async (fault, call) => {
      await run(flow, [{ fault, call, times: 3 }], policy)
    })

    const looks = flow.inquiries.flatMap((inquiry) => faults.map((fault) => [fault, inquiry.call, inquiry] as const))

    if (looks.length > 0)
      test.each(looks)('after %s at %s of an inquiry', async (fault, call, inquiry) => {
        const nth = call === inquiry.after.call ? 2 : 1
        await run(flow, [inquiry.after, { fault, call, nth }], policy)
      })
  })
})
