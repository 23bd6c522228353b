import { setTimeout } from 'node:timers/promises'
import type { Clock } from '../ports.ts'

/** The machine's own time. */
export const systemClock: Clock = {
  now: () => Date.now(),
  wait: (milliseconds) => setTimeout(milliseconds),
}
