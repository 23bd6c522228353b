import { describe, expect, test } from 'vitest'
import type { Violation } from './invariants.ts'

/** A simulation with its invariants, and with mutants that each break one of them. */
export interface Simulation<Mutant> {
  /** What every history shows, as the name of a test. */
  readonly shows: string
  readonly simulate: (seed: number, options?: Options<Mutant>) => Promise<Violation | undefined>
  readonly invariants: Readonly<Record<string, string>>
  readonly mutants: Readonly<Record<string, Mutant & Broken>>
}

/** The invariant that a mutant breaks, and others that some histories show to be broken first. */
interface Broken {
  readonly breaks: string
  readonly also_breaks?: readonly string[]
}

interface Options<Mutant> {
  readonly mutant?: Mutant
  readonly tally?: Map<string, number>
  readonly trace?: (line: string) => void
}

/** The time limit of a test, in milliseconds for each history. It only ends a test that hangs. */
const HISTORY_MS = 3_000

/**
 * Tests that no history breaks an invariant, and that each count in the statistics of all histories together reaches
 * the minimum in `at_least`.
 */
export function testSeeds<M>(
  simulation: Simulation<M>,
  { first = 1, seeds, at_least = {} }: { first?: number; seeds: number; at_least?: Readonly<Record<string, number>> },
): void {
  test(`${seeds} histories from seed ${first} show that ${simulation.shows}`, {
    timeout: seeds * HISTORY_MS,
  }, async () => {
    const tally = new Map<string, number>()
    for (let seed = first; seed < first + seeds; seed++) {
      const violation = await simulation.simulate(seed, { tally })
      if (violation) expect.fail(`${await historyOf(simulation, seed)}\n${JSON.stringify(violation, null, 2)}`)
    }
    const rare = Object.entries(at_least).filter(([name, times]) => (tally.get(name) ?? 0) < times)
    expect(rare.map(([name]) => `${name}: ${tally.get(name)}`)).toEqual([])
  })
}

/** Tests that a seed always gives the same history. */
export function testRepeatability<M>(simulation: Simulation<M>): void {
  test('a seed always gives the same history', async () => {
    for (let seed = 1; seed <= 10; seed++) {
      const history = await historyOf(simulation, seed)
      expect(history.length).toBeGreaterThan(1)
      expect(await historyOf(simulation, seed)).toBe(history)
    }
  })
}

/** Tests that every invariant has a mutant that breaks it. */
export function testEachInvariantHasMutant<M>({ invariants, mutants }: Simulation<M>): void {
  test('every invariant has a mutant that breaks it', () => {
    const broken = new Set(Object.values(mutants).map(({ breaks }) => breaks))
    expect([...broken].sort()).toEqual(Object.keys(invariants).sort())
  })
}

/** The number of violations that a mutant's test collects, and the most histories that it simulates for them. */
const VIOLATIONS = 3
const SEARCHED = 1_000

/** Tests that each mutant is caught, and that its histories break no other invariant first. */
export function testMutants<M>({ simulate, mutants }: Simulation<M>): void {
  describe('a mutant breaks its invariant', () => {
    const rows = Object.entries(mutants).map(
      ([name, mutant]) => [`${mutant.breaks}: a service that ${name}`, mutant] as const,
    )
    test.each(rows)('%s', { timeout: SEARCHED * HISTORY_MS }, async (_, mutant) => {
      const violations: Violation[] = []
      for (let seed = 1; violations.length < VIOLATIONS && seed <= SEARCHED; seed++) {
        const violation = await simulate(seed, { mutant })
        if (violation) violations.push(violation)
      }
      const expected = [mutant.breaks, ...(mutant.also_breaks ?? [])]
      expect(violations.map(({ invariant }) => invariant)).toContain(mutant.breaks)
      expect(violations.filter(({ invariant }) => !expected.includes(invariant))).toEqual([])
    })
  })
}

async function historyOf<M>({ simulate }: Simulation<M>, seed: number): Promise<string> {
  const lines: string[] = []
  await simulate(seed, { trace: (line) => lines.push(line) })
  return lines.join('\n')
}
