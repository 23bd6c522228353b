/** How much work the background functions of a slot take: none, a tenth of the stage's concurrency, or all of it. */
export type Share = 'off' | 'tenth' | 'full'

/** One step of a release: what the live slot and the candidate do, and how long nothing may fail before the next step. */
export interface Shift {
  /** The requests that go to the candidate, in percent. */
  readonly percent: number
  readonly bake_minutes: number
  /** The background work of the live slot and of the candidate. */
  readonly live: Share
  readonly candidate: Share
}

/**
 * The steps of a release. In each step the live slot can take everything back with one call, so a bad release never
 * has to be deployed away.
 */
export const shifts: readonly Shift[] = [
  { percent: 10, bake_minutes: 10, live: 'full', candidate: 'tenth' },
  { percent: 100, bake_minutes: 10, live: 'off', candidate: 'full' },
]

/** The steps that remain for a candidate that gets `percent` of the requests. Its present step is repeated in full. */
export const shiftsFrom = (percent: number): readonly Shift[] => shifts.filter((shift) => shift.percent >= percent)

/** The concurrency of a worker whose maximum is `full`. SQS event sources have at least 2. */
export const concurrencyAt = (share: Share, full: number): number =>
  share === 'tenth' ? Math.max(2, Math.ceil(full / 10)) : full
