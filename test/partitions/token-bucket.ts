/**
 * The capacity of a partition for reads or for writes, in units. Each second adds the limit of a second. What is not
 * used is retained for a number of seconds, and can be consumed at any speed. A new bucket is full.
 */
export class TokenBucket {
  readonly per_second: number
  readonly #units_max: number
  #units: number
  #at: number

  /** `now` is in milliseconds. */
  constructor(per_second: number, burst_seconds: number, now: number) {
    this.per_second = per_second
    this.#units_max = per_second * burst_seconds
    this.#units = this.#units_max
    this.#at = now
  }

  /** The units that can be consumed now. */
  available(now: number): number {
    if (now > this.#at) {
      this.#units = Math.min(this.#units_max, this.#units + ((now - this.#at) * this.per_second) / 1000)
      this.#at = now
    }
    return this.#units
  }

  /** Consumes units. The caller has checked that they are available. */
  take(units: number, now: number): void {
    this.#units = this.available(now) - units
  }

  /** Consumes what is retained for bursts, except for the limit of one second. */
  spendBurst(now: number): void {
    this.#units = Math.min(this.available(now), this.per_second)
  }
}
