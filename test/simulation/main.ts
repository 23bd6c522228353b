import { simulate } from '#test/simulation/delivery-simulation.ts'
import { simulateSubscriptions } from '#test/simulation/subscription-simulation.ts'

/** A simulation: plays the history of a seed, and answers what was wrong in it, or undefined. */
interface Simulation {
  readonly name: string
  readonly play: (seed: number, trace?: (line: string) => void) => Promise<string | undefined>
}

const simulations: readonly Simulation[] = [
  { name: 'deliveries', play: (seed, trace) => simulate(seed, new Map(), { trace }) },
  { name: 'subscriptions', play: (seed, trace) => simulateSubscriptions(seed, new Map(), { trace }) },
]

/** How often the progress is told. */
const EVERY_MS = 10_000

const [seeds = 1_000_000, first = 1] = process.argv.slice(2).map(Number)
if (!(seeds > 0) || !Number.isInteger(first)) {
  console.error('usage: npm run simulate -- [seeds] [first seed]')
  process.exit(2)
}
for (const simulation of simulations) await run(simulation)

async function run({ name, play }: Simulation): Promise<void> {
  const began_at = Date.now()
  let told_at = began_at
  for (let seed = first; seed < first + seeds; seed++) {
    if (await play(seed)) await show({ name, play }, seed)
    if (Date.now() - told_at < EVERY_MS) continue
    told_at = Date.now()
    const done = seed - first + 1
    const minutes = (((told_at - began_at) / done) * (seeds - done)) / 60_000
    console.log(`${name}: ${done} of ${seeds} histories are right, ${Math.ceil(minutes)} min to go`)
  }
  const took = (Date.now() - began_at) / 1000
  console.log(`${name}: ${seeds} histories are right, from seed ${first} on, in ${took.toFixed(0)} s`)
}

/** Plays a history again, line by line, and ends. */
async function show({ name, play }: Simulation, seed: number): Promise<never> {
  const wrong = await play(seed, (line) => console.log(line))
  console.error(`${name}: ${wrong}`)
  process.exit(1)
}
