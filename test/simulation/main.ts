import type { Simulate } from './history.ts'
import { deliveries, subscriptions } from './simulations.ts'

/** How often the progress is printed. */
const EVERY_MS = 10_000

const [seeds = 1_000_000, first = 1] = process.argv.slice(2).map(Number)
if (!(seeds > 0) || !Number.isInteger(first)) {
  console.error('usage: npm run simulate -- [seeds] [first seed]')
  process.exit(2)
}
await run('deliveries', deliveries.simulate)
await run('subscriptions', subscriptions.simulate)

async function run(name: string, simulate: Simulate): Promise<void> {
  const began_at = Date.now()
  let printed_at = began_at
  for (let seed = first; seed < first + seeds; seed++) {
    if (await simulate(seed)) await show(name, simulate, seed)
    if (Date.now() - printed_at < EVERY_MS) continue
    printed_at = Date.now()
    const done = seed - first + 1
    const minutes = (((printed_at - began_at) / done) * (seeds - done)) / 60_000
    console.log(`${name}: ${done} of ${seeds} histories hold, ${Math.ceil(minutes)} min to go`)
  }
  const seconds = (Date.now() - began_at) / 1000
  console.log(`${name}: ${seeds} histories hold, from seed ${first} on, in ${seconds.toFixed(0)} s`)
}

/** Prints the history of a seed and its violation, and exits. */
async function show(name: string, simulate: Simulate, seed: number): Promise<never> {
  const violation = await simulate(seed, { trace: (line) => console.log(line) })
  console.error(name, violation)
  process.exit(1)
}
