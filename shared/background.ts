import type { QueueName } from '#shared/platform/ports.ts'

/*
 * What the service does besides its routes: the files under `functions/background/`, each with what wakes it.
 */

/** Answers whatever no row of the route table does: 404, 405 with `Allow`, and the browser's OPTIONS. */
export const notFound = 'background/not-found'

/** Sends out what has fallen due, once a minute. */
export const sweep = 'background/sweep'

/** Makes the deliveries of an event, when the table's stream tells of its outbox row. */
export const fanOut = 'background/fan-out'

/** Who works on the messages of each queue. */
export const workers = {
  deliveries: 'background/deliver',
  captures: 'background/capture',
  chores: 'background/chores',
} as const satisfies Record<QueueName, string>

/**
 * How long the worker of each queue may take for what it is handed at a time. A delivery is handed over alone: its
 * receiver has 15 s, the table the rest, and it ends before another worker may take the delivery over.
 */
export const worker_seconds = { deliveries: 30, captures: 60, chores: 60 } as const satisfies Record<QueueName, number>

/** How long the sweep may take for one round, and the fan-out for one batch. */
export const ROUND_SECONDS = 60

/** Every queue of the service. */
export const queueNames = Object.keys(workers) as QueueName[]

/** The queues, each with the file that works on it. */
export function workedQueues(): { queue: QueueName; file: string }[] {
  return queueNames.map((queue) => ({ queue, file: workers[queue] }))
}

/** The files of all background functions. */
export const backgroundFiles: readonly string[] = [notFound, sweep, fanOut, ...workedQueues().map(({ file }) => file)]
