import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Clock } from '#shared/platform/ports.ts'

/** The longest that a timer of Node can wait. */
const TIMER_MS_MAX = 2 ** 31 - 1

export interface VirtualClockOptions {
  /** Keeps how far the clock was turned, over restarts. */
  readonly file?: string
  /** Epoch milliseconds: real time does not flow, and the clock moves only when it is turned. */
  readonly frozen_at?: number
}

/** Real time, plus what the clock was turned ahead. It never goes back. */
export class VirtualClock implements Clock {
  readonly #file: string | undefined
  readonly #frozen_at: number | undefined
  #offset_ms = 0
  #latest = Number.NEGATIVE_INFINITY
  #waits: { readonly at: number; readonly resolve: () => void }[] = []
  #timer: NodeJS.Timeout | undefined

  constructor({ file, frozen_at }: VirtualClockOptions = {}) {
    this.#file = file
    this.#frozen_at = frozen_at
    if (file && existsSync(file)) this.#offset_ms = readOffset(file)
  }

  now(): number {
    this.#latest = Math.max(this.#latest, (this.#frozen_at ?? Date.now()) + this.#offset_ms)
    return this.#latest
  }

  /** Sets the clock to that moment, unless it is past already; whoever waits for a moment up to it goes on. */
  turnTo(at: number): void {
    const ahead = Math.ceil(at) - this.now()
    if (!(ahead > 0)) return
    if (this.#file) writeOffset(this.#file, this.#offset_ms + ahead)
    this.#offset_ms += ahead
    this.#wake()
  }

  /** Resolves once that much time has passed, really or by turning. */
  async wait(milliseconds: number): Promise<void> {
    const at = this.now() + milliseconds
    await new Promise<void>((resolve) => {
      this.#waits.push({ at, resolve })
      this.#wake()
    })
  }

  #wake(): void {
    const now = this.now()
    const waits = this.#waits.toSorted((one, other) => one.at - other.at)
    this.#waits = waits.filter(({ at }) => at > now)
    for (const { at, resolve } of waits) if (at <= now) resolve()
    clearTimeout(this.#timer)
    const next = this.#waits[0]
    if (next && this.#frozen_at === undefined)
      this.#timer = setTimeout(() => this.#wake(), Math.min(next.at - now, TIMER_MS_MAX))
  }
}

function readOffset(file: string): number {
  const offset_ms = Number(readFileSync(file, 'utf8').trim() || Number.NaN)
  if (!Number.isSafeInteger(offset_ms) || offset_ms < 0)
    throw new Error(`The clock file ${file} is damaged: it must hold the milliseconds that the clock is ahead.`)
  return offset_ms
}

function writeOffset(file: string, offset_ms: number): void {
  writeFileSync(`${file}.new`, `${offset_ms}\n`)
  renameSync(`${file}.new`, file)
}
