import type { QueueName } from '#shared/platform/ports.ts'

/*
 * The background functions of the service: the files under `functions/background/`. Each of them runs without a route.
 */

/** Responds to every request that no endpoint or page serves: 404, 405 with `Allow`, and the `OPTIONS` of browsers. */
export const notFound = 'background/not-found'

/** Queues the records that fall due, once a minute. */
export const sweep = 'background/sweep'

/** Creates the deliveries of an event when the table's stream reports its outbox row. */
export const fanOut = 'background/fan-out'

/** The worker of each queue. */
export const workers = {
  deliveries: 'background/deliver',
  captures: 'background/capture',
  chores: 'background/chores',
  clocks: 'background/move-test-clocks',
} as const satisfies Record<QueueName, string>

/**
 * How long the worker of each queue may take for one batch, in seconds. A batch of deliveries contains one delivery:
 * the receiver has 15 s to respond, and the rest is for reads and writes of the table. The worker ends before the lease
 * of the delivery (60 s) expires.
 */
export const worker_seconds = { deliveries: 30, captures: 60, chores: 60, clocks: 60 } as const satisfies Record<
  QueueName,
  number
>

/** How long one run of the sweep and one batch of the fan-out may take, in seconds. */
export const RUN_SECONDS_MAX = 60

/** The names of all queues. */
export const queueNames = Object.keys(workers) as QueueName[]

/** The queues, each with the file of its worker. */
export function workedQueues(): { queue: QueueName; file: string }[] {
  return queueNames.map((queue) => ({ queue, file: workers[queue] }))
}

/** The files of all background functions. */
export const backgroundFiles: readonly string[] = [notFound, sweep, fanOut, ...workedQueues().map(({ file }) => file)]
