import type { Clock } from '#shared/platform/ports.ts'

/** A clock that stands still but for waiting, which it notes and which takes no time. */
export class SteppingClock implements Clock {
  readonly waits: number[] = []
  #now = 1_000_000

  now(): number {
    return this.#now
  }

  async wait(milliseconds: number): Promise<void> {
    this.waits.push(milliseconds)
    this.#now += milliseconds
  }
}
