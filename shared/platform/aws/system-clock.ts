import type { Clock } from '../ports.ts'

/** The clock of the machine. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      signal?.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }),
}
