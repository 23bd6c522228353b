import type { Cost, Costs } from './measured-platform.ts'
import type { Priced } from './prices.ts'

/** How much of what is paid for something takes. */
export type Usage = Readonly<Partial<Record<Priced, number>>>

/**
 * What no measurement on one machine can tell. All of it is a warm function in the region of its table; a cold start takes
 * half a second more, of one request in many.
 */
export const assumed = {
  memory_gigabytes: 0.5,
  /** Of the function itself, before and between its calls. */
  own_ms: 8,
  /** The work on one call, and how long its answer takes. */
  call_ms: 1,
  wait_ms: 6,
  acquirer_ms: 200,
  receiver_ms: 200,
  /** What Lambda writes of each invocation, and the gateway of each request. */
  invocation_log_bytes: 400,
  access_log_bytes: 330,
  /** Of each answer, and of each delivery to a receiver with its body. */
  header_bytes: 500,
  delivery_bytes: 3_000,
  /** The part of all requests that X-Ray records, besides the first of each second. */
  traced: 0.05,
} as const

const GIGABYTE = 1024 ** 3

/** What one request takes, all but the firewall that only some stages have. */
export function requestUsage({ service, acquirer }: Costs, answer_bytes: number): Usage {
  const waits_elsewhere_ms = acquirer.waits * assumed.acquirer_ms
  return {
    ...invocationUsage(service, { waits_elsewhere_ms, log_bytes: assumed.access_log_bytes }),
    gateway_request: 1,
    sent_gigabyte: (answer_bytes + assumed.header_bytes) / GIGABYTE,
  }
}

/** What one message takes that is worked on alone: the sweep has sent it, and the worker receives and removes it. */
export function messageUsage(cost: Cost, { waits_elsewhere_ms = 0 } = {}): Usage {
  return { ...invocationUsage(cost, { waits_elsewhere_ms }), queue_call: cost.queue_calls + 3 }
}

/** What an attempt of a delivery takes. Whoever made the delivery has sent its message, which names the receiver. */
export function attemptUsage(cost: Cost): Usage {
  return {
    ...invocationUsage(cost, { waits_elsewhere_ms: assumed.receiver_ms }),
    queue_call: cost.queue_calls + 2,
    fair_call: cost.fair_calls + 2,
    sent_gigabyte: assumed.delivery_bytes / GIGABYTE,
  }
}

/** What one invocation takes with all that it asks of the platform. */
export function invocationUsage(cost: Cost, { waits_elsewhere_ms = 0, log_bytes = 0 } = {}): Usage {
  const ms = assumed.own_ms + cost.calls * assumed.call_ms + cost.waits * assumed.wait_ms + waits_elsewhere_ms
  return {
    invocation: 1,
    gigabyte_second: (ms / 1000) * assumed.memory_gigabytes,
    read_unit: cost.read_units,
    write_unit: cost.write_units,
    vault_call: cost.vault_calls,
    queue_call: cost.queue_calls,
    fair_call: cost.fair_calls,
    bucket_put: cost.bucket_calls,
    log_gigabyte: (cost.log_bytes + assumed.invocation_log_bytes + log_bytes) / GIGABYTE,
    trace: assumed.traced,
  }
}

/** Several usages as one. */
export function addedUp(...usages: readonly Usage[]): Usage {
  const sum: Partial<Record<Priced, number>> = {}
  for (const usage of usages)
    for (const [priced, amount] of Object.entries(usage) as [Priced, number][])
      sum[priced] = (sum[priced] ?? 0) + amount
  return sum
}
