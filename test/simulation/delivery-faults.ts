/** Chance, as `World` has it. */
interface Chance {
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** What goes wrong, each with its chance: at a call of a process, with a message or record, or at a sweep. */
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
 * `crash`: the process ends and nothing of it goes on. `freeze`: its next call comes minutes to hours later. `fail`: cut
 * off. `conflict`: a write is refused for no reason. `travel`: a write arrives minutes after it was sent.
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

/** What can go wrong with a call that writes nothing. */
export const read_faults = call_faults.filter((fault) => fault !== 'conflict' && fault !== 'travel')

export type CallFault = (typeof call_faults)[number]

/** Each history has some faults and is spared others, so that none hides behind another. */
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
