/** The random draws of `World`. */
interface Chance {
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** The probability of each fault: of a call, of a queue message or a stream record, and of a sweep. */
export interface Faults {
  readonly call: Readonly<Record<CallFault, number>>
  readonly lost: number
  readonly lost_record: number
  readonly doubled: number
  readonly late: number
  readonly sweep_missed: number
  readonly sweep_doubled: number
  readonly stale: number
}

/**
 * The faults of a call. `crash`: the process ends. `freeze`: the process stops for minutes to hours. `fail`: the call
 * throws. `conflict`: a write is refused although nothing changed. `travel`: a write arrives minutes after it was sent.
 * `before` and `after` say whether the fault comes before or after the call is done.
 */
export const call_faults = [
  'crash_before',
  'crash_after',
  'freeze',
  'fail_before',
  'fail_after',
  'conflict',
  'travel',
] as const

/** The faults of a call that writes nothing. */
export const read_faults = call_faults.filter((fault) => fault !== 'conflict' && fault !== 'travel')

export type CallFault = (typeof call_faults)[number]

/** Draws the faults of a history. About half of the faults are left out, so that one fault does not hide another. */
export function drawFaults(chance: Chance): Faults {
  const some = (...chances: number[]) => (chance.chance(0.5) ? 0 : chance.pick(chances))
  const call = () => some(0.005, 0.02, 0.06)
  return {
    call: {
      crash_before: call(),
      crash_after: call(),
      freeze: call(),
      fail_before: call(),
      fail_after: call(),
      conflict: call(),
      travel: call(),
    },
    lost: some(0.05, 0.3),
    lost_record: some(0.1, 0.5, 1),
    doubled: some(0.1, 0.5),
    late: some(0.1, 0.4),
    sweep_missed: some(0.2, 0.7, 0.95),
    sweep_doubled: some(0.3),
    stale: some(0.3),
  }
}
