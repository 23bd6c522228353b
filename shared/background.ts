import type { QueueName } from '#shared/platform/ports.ts'

/** What the service does besides its routes: the files under `functions/background/`, each with what wakes it. */
const open = null

/** Answers whatever no row of the route table does: 404, 405 with `Allow`, and the browser's OPTIONS. */
export const notFound = 'background/not-found'

/** Sends out what has fallen due, once a minute. */
export const sweep = 'background/sweep'

/** Who works on the messages of each queue; a queue that is `open` has nobody yet, and nothing is sent to it. */
export const workers = {
  deliveries: open,
  captures: open,
  chores: 'background/chores',
} as const satisfies Record<QueueName, string | null>

/** How long a worker may take for one batch of messages, and the sweep for one round. */
export const WORKER_SECONDS = 60

/** Every queue of the service. */
export const queueNames = Object.keys(workers) as QueueName[]

/** The queues that somebody works on, each with the file that does. */
export function workedQueues(): { queue: QueueName; file: string }[] {
  return queueNames.flatMap((queue) => (workers[queue] === open ? [] : { queue, file: workers[queue] }))
}

/** The files of all background functions. */
export const backgroundFiles: readonly string[] = [notFound, sweep, ...workedQueues().map(({ file }) => file)]
