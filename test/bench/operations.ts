import { BackgroundCalls } from './background-calls.ts'
import type { Cost } from './measured-platform.ts'
import { measuredCases } from './platform-calls.ts'
import { type Stored, storedBy } from './stored.ts'
import { assumed, attemptUsage, invocationUsage, messageUsage, requestUsage, type Usage } from './usage.ts'

/** One thing that the service does, with what it takes. */
export interface Operation {
  readonly what: string
  /** What sets it apart from others of its name. */
  readonly as: string
  readonly cost: Cost
  readonly usage: Usage
}

/** A request of each row of the API at least. */
export async function requestOperations(): Promise<Operation[]> {
  return (await measuredCases()).map(({ of, costs, answer_bytes }) => ({
    what: of.route,
    as: of.as ?? '',
    cost: costs.service,
    usage: requestUsage(costs, answer_bytes),
  }))
}

/** What the service does by itself, what a round of the sweep costs, and what one payment leaves behind. */
export interface Behind {
  readonly operations: readonly Operation[]
  readonly idle_sweep: Cost
  readonly payment: Stored
}

const SETTLED_PAYMENTS = 100

/** Calls each background function with work of its own. */
export async function backgroundOperations(): Promise<Behind> {
  const calls = await BackgroundCalls.open()
  try {
    const idle_sweep = await calls.idleSweep()
    const { well, dead } = calls.receivers
    const operations = [
      told('an event told to nobody', await calls.fanOut([])),
      told('an event told to one webhook', await calls.fanOut([well])),
      delivered('a delivery', await calls.attempt()),
    ]
    const told_ten = told('an event told to ten webhooks', await calls.fanOut(Array(10).fill(well)))
    await calls.fanOut([dead])
    operations.push(told_ten, delivered('an attempt that fails', await calls.attempt()))
    operations.push(delivered('a retry that fails', await calls.retry()))
    operations.push(await captured(calls), await settled(calls))
    return { operations, idle_sweep, payment: storedBy(await calls.left(well)) }
  } finally {
    await calls.close()
  }
}

const told = (what: string, cost: Cost): Operation => ({ what, as: '', cost, usage: invocationUsage(cost) })

const delivered = (what: string, cost: Cost): Operation => ({ what, as: '', cost, usage: attemptUsage(cost) })

async function captured(calls: BackgroundCalls): Promise<Operation> {
  const cost = await calls.capture()
  const usage = messageUsage(cost, { waits_elsewhere_ms: assumed.acquirer_ms })
  return { what: 'a capture of a subscription', as: '', cost, usage }
}

async function settled(calls: BackgroundCalls): Promise<Operation> {
  const cost = await calls.settlement(SETTLED_PAYMENTS)
  const what = `a settlement of ${SETTLED_PAYMENTS.toLocaleString('en')} payments`
  return { what, as: '', cost, usage: messageUsage(cost) }
}
