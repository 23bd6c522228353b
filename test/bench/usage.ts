import type { Cost, Costs } from './measured-platform.ts'
import type { Priced } from './prices.ts'

/** The usage of an operation in units that AWS charges for. */
export type Usage = Readonly<Partial<Record<Priced, number>>>

/**
 * Figures that cannot be measured on one machine. They hold for a warm function in the region of its table. A cold
 * start takes half a second more and is rare.
 */
export const assumed = {
  memory_gigabytes: 0.5,
  /** The function's own work before and between its calls. */
  own_ms: 8,
  /** The work of one call, and the time until its response. */
  call_ms: 1,
  wait_ms: 6,
  acquirer_ms: 200,
  receiver_ms: 200,
  /** The bytes that Lambda logs per invocation, and the gateway per request. */
  invocation_log_bytes: 400,
  access_log_bytes: 330,
  /** The bytes of the headers of a response, and of a delivery with its body. */
  header_bytes: 500,
  delivery_bytes: 3_000,
  /** The fraction of requests that X-Ray records, besides the first of each second. */
  traced: 0.05,
} as const

const GIGABYTE = 1024 ** 3

/** The usage of one request, without the firewall that only some stages have. */
export function requestUsage({ service, acquirer }: Costs, answer_bytes: number): Usage {
  const waits_elsewhere_ms = acquirer.waits * assumed.acquirer_ms
  return {
    ...invocationUsage(service, { waits_elsewhere_ms, log_bytes: assumed.access_log_bytes }),
    gateway_request: 1,
    sent_gigabyte: (answer_bytes + assumed.header_bytes) / GIGABYTE,
  }
}

/** The usage of one message in a batch of its own: the sweep sends it, and the worker receives and deletes it. */
export function messageUsage(cost: Cost, { waits_elsewhere_ms = 0 } = {}): Usage {
  return { ...invocationUsage(cost, { waits_elsewhere_ms }), queue_call: cost.queue_calls + 3 }
}

/**
 * The usage of a delivery attempt. The message, with its receiver as message group, is sent by the function that
 * created the delivery.
 */
export function attemptUsage(cost: Cost): Usage {
  return {
    ...invocationUsage(cost, { waits_elsewhere_ms: assumed.receiver_ms }),
    queue_call: cost.queue_calls + 2,
    fair_call: cost.fair_calls + 2,
    sent_gigabyte: assumed.delivery_bytes / GIGABYTE,
  }
}

/** The usage of one invocation with its platform calls. */
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

/** The sum of several usages. */
export function addedUp(...usages: readonly Usage[]): Usage {
  const sum: Partial<Record<Priced, number>> = {}
  for (const usage of usages)
    for (const [priced, amount] of Object.entries(usage) as [Priced, number][])
      sum[priced] = (sum[priced] ?? 0) + amount
  return sum
}
