import { BackgroundCalls } from './background-calls.ts'
import type { Cost } from './measured-platform.ts'
import { measuredCases } from './platform-calls.ts'
import { type Stored, storedBy } from './stored.ts'
import { assumed, attemptUsage, invocationUsage, messageUsage, requestUsage, type Usage } from './usage.ts'

/** An operation of the service with its cost. */
export interface Operation {
  readonly what: string
  /** The difference from other operations of the same name. */
  readonly as: string
  readonly cost: Cost
  readonly usage: Usage
}

/** At least one request of each route of the API. */
export async function requestOperations(): Promise<Operation[]> {
  return (await measuredCases()).map(({ of, costs, answer_bytes }) => ({
    what: of.route,
    as: of.as ?? '',
    cost: costs.service,
    usage: requestUsage(costs, answer_bytes),
  }))
}

/** The background operations, the cost of an idle sweep, and the items of one payment. */
export interface Background {
  readonly operations: readonly Operation[]
  readonly idle_sweep: Cost
  readonly payment: Stored
}

const SETTLED_PAYMENTS = 100

/** Calls each background function with work of its own. */
export async function backgroundOperations(): Promise<Background> {
  const calls = await BackgroundCalls.open()
  try {
    const idle_sweep = await calls.idleSweep()
    const { well, dead } = calls.receivers
    const operations = [
      fannedOut('fan-out to no webhook', await calls.fanOut([])),
      fannedOut('fan-out to one webhook', await calls.fanOut([well])),
      delivered('a delivery', await calls.attempt()),
    ]
    const to_ten = fannedOut('fan-out to ten webhooks', await calls.fanOut(Array(10).fill(well)))
    await calls.fanOut([dead])
    operations.push(to_ten, delivered('an attempt that fails', await calls.attempt()))
    operations.push(delivered('a retry that fails', await calls.retry()))
    operations.push(await captured(calls), await settled(calls))
    return { operations, idle_sweep, payment: storedBy(await calls.left(well)) }
  } finally {
    await calls.close()
  }
}

const fannedOut = (what: string, cost: Cost): Operation => ({ what, as: '', cost, usage: invocationUsage(cost) })

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
