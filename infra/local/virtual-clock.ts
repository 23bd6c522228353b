import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import type { Clock } from '#shared/platform/ports.ts'

/** The longest delay that a timer of Node supports. */
const TIMER_MS_MAX = 2 ** 31 - 1

export interface VirtualClockOptions {
  /** The path of a file that stores how far the clock is ahead, so that restarts keep it. */
  readonly file?: string
  /** A fixed time in epoch milliseconds that replaces real time: the clock moves only when it is advanced. */
  readonly frozen_at?: number
}

/** A clock that shows real time plus the time by which it was advanced. It never goes back. */
export class VirtualClock implements Clock {
  readonly #file: string | undefined
  readonly #frozen_at: number | undefined
  #offset_ms = 0
  #latest = Number.NEGATIVE_INFINITY
  readonly #waits = new Set<{ readonly at: number; readonly resolve: () => void }>()
  #timer: NodeJS.Timeout | undefined
  #timer_at = Number.POSITIVE_INFINITY

  constructor({ file, frozen_at }: VirtualClockOptions = {}) {
    this.#file = file
    this.#frozen_at = frozen_at
    if (file && existsSync(file)) this.#offset_ms = readOffset(file)
  }

  now(): number {
    this.#latest = Math.max(this.#latest, (this.#frozen_at ?? Date.now()) + this.#offset_ms)
    return this.#latest
  }

  realNow(): number {
    return this.#frozen_at ?? Date.now()
  }

  /**
   * Advances the clock to `at`, in epoch milliseconds, and resolves every wait that ends by then. A past `at` changes
   * nothing.
   */
  turnTo(at: number): void {
    const ahead = Math.ceil(at) - this.now()
    if (!(ahead > 0)) return
    if (this.#file) writeOffset(this.#file, this.#offset_ms + ahead)
    this.#offset_ms += ahead
    this.#wake()
  }

  wait(milliseconds: number, signal?: AbortSignal): Promise<void> {
    const at = this.now() + milliseconds
    if (milliseconds <= 0) return Promise.resolve()
    return new Promise<void>((resolve) => {
      const waiting = { at, resolve }
      this.#waits.add(waiting)
      signal?.addEventListener('abort', () => this.#waits.delete(waiting), { once: true })
      if (at < this.#timer_at) this.#setTimer(at)
    })
  }

  #wake(): void {
    const now = this.now()
    const over = [...this.#waits].filter(({ at }) => at <= now).sort((one, other) => one.at - other.at)
    for (const waiting of over) {
      this.#waits.delete(waiting)
      waiting.resolve()
    }
    this.#setTimer(Math.min(...[...this.#waits].map(({ at }) => at)))
  }

  #setTimer(at: number): void {
    clearTimeout(this.#timer)
    this.#timer_at = at
    if (Number.isFinite(at) && this.#frozen_at === undefined)
      this.#timer = setTimeout(() => this.#wake(), Math.min(at - this.now(), TIMER_MS_MAX))
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
