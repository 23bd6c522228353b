import type { Clock } from '../ports.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds, signal) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, milliseconds)
      signal?.addEventListener('abort', () => clearTimeout(timer), { once: true })
    }),
}
