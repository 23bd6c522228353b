import { parseArgs } from 'node:util'
import { acquirer_mutants } from './acquirer-mutants.ts'
import { simulateAcquirer } from './acquirer-simulation.ts'
import type { Simulate } from './history.ts'
import { deliveries, subscriptions } from './simulations.ts'

/** How often the progress is printed. */
const EVERY_MS = 10_000

/** The most histories that are simulated until a mutant is caught. */
const SEARCHED = 1_000

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    seeds: { type: 'string', default: '10000' },
    first: { type: 'string', default: '1' },
    mutants: { type: 'boolean', default: false },
  },
})
if (positionals[0] === 'acquirer') await (values.mutants ? catchMutants() : simulatePayments(values))
else await simulateBoth(positionals.map(Number))

async function simulateBoth([seeds = 1_000_000, first = 1]: readonly number[]): Promise<void> {
  refuseUnless(seeds > 0 && Number.isInteger(first))
  for (const [name, { simulate }] of Object.entries({ deliveries, subscriptions }))
    await run(name, { seeds, first }, (seed) => heldOrShown(name, simulate, seed))
}

/** Simulates live payments, and counts what is wrong with them. */
async function simulatePayments(given: { readonly seeds: string; readonly first: string }): Promise<void> {
  const [seeds, first] = [Number(given.seeds), Number(given.first)]
  refuseUnless(seeds > 0 && Number.isInteger(first))
  const broken = new Map<string, number>()
  await run('acquirer', { seeds, first }, async (seed) => {
    const violation = await simulateAcquirer(seed)
    if (violation) console.error('acquirer', violation)
    if (violation) broken.set(violation.invariant, (broken.get(violation.invariant) ?? 0) + 1)
  })
  const times = (...invariants: string[]) => invariants.reduce((sum, name) => sum + (broken.get(name) ?? 0), 0)
  const lost = times('equal_books', 'ended_without_money', 'given_up_for_good', 'paid_in_time')
  console.log(`${times('one_charge')} double charges, ${lost} lost, ${times('all_work_done')} in flight`)
  if (broken.size > 0) process.exit(1)
}

/** Simulates each mutant of live payments until a history breaks its invariant. */
async function catchMutants(): Promise<void> {
  let caught = 0
  for (const [name, mutant] of Object.entries(acquirer_mutants)) {
    let violation: Awaited<ReturnType<Simulate>>
    let seed = 0
    while (!violation && seed < SEARCHED) violation = await simulateAcquirer(++seed, { mutant })
    if (violation?.invariant === mutant.breaks) caught++
    console.log(
      `a service that ${name}: ${violation ? `breaks ${violation.invariant} in seed ${seed}` : 'is not caught'}`,
    )
  }
  const all = Object.keys(acquirer_mutants).length
  console.log(`${caught} of ${all} caught`)
  if (caught < all) process.exit(1)
}

function refuseUnless(is_valid: boolean): void {
  if (is_valid) return
  console.error('usage: npm run simulate -- [seeds] [first seed]')
  console.error('       npm run simulate -- acquirer [--seeds <number>] [--first <seed>] [--mutants]')
  process.exit(2)
}

async function run(
  name: string,
  { seeds, first }: { readonly seeds: number; readonly first: number },
  simulate: (seed: number) => Promise<void>,
): Promise<void> {
  const began_at = Date.now()
  let printed_at = began_at
  for (let seed = first; seed < first + seeds; seed++) {
    await simulate(seed)
    if (Date.now() - printed_at < EVERY_MS) continue
    printed_at = Date.now()
    const done = seed - first + 1
    const minutes = (((printed_at - began_at) / done) * (seeds - done)) / 60_000
    console.log(`${name}: ${done} of ${seeds} histories simulated, ${Math.ceil(minutes)} min to go`)
  }
  const seconds = (Date.now() - began_at) / 1000
  console.log(`${name}: ${seeds} histories simulated, from seed ${first} on, in ${seconds.toFixed(0)} s`)
}

/** Simulates a history. If it breaks an invariant, prints the history and its violation, and exits. */
async function heldOrShown(name: string, simulate: Simulate, seed: number): Promise<void> {
  if (!(await simulate(seed))) return
  const violation = await simulate(seed, { trace: (line) => console.log(line) })
  console.error(name, violation)
  process.exit(1)
}
