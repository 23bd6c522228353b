import { DAY, HOUR, MINUTE, type World } from './delivery-world.ts'

/** How a receiver answers at a moment: with a status, or not at all. */
type Mood = (now: number) => number | null

const FAILURES = [500, 503, 404, 301, 199, null]

/** How long the receivers of a history may fail: some of them always, or for a while. */
export type Health = 'dead' | 'mixed' | 'well'

/** The merchant's servers, each with a mood of its own for a whole history. */
export class Receivers {
  readonly urls: readonly string[]
  readonly #world: World
  readonly #moods = new Map<string, Mood>()

  constructor(world: World, health: Health) {
    this.#world = world
    this.urls = Array.from({ length: 4 }, (_, number) => `https://receiver${number}.example/hook`)
    for (const url of this.urls) this.#moods.set(url, this.#mood(health))
  }

  answer(url: string): number | null {
    return this.#moods.get(url)!(this.#world.now)
  }

  #mood(health: Health): Mood {
    const world = this.#world
    const well = () => world.pick([200, 201, 204, 299])
    const failure = world.pick(FAILURES)
    if (health === 'dead' && world.chance(0.7)) return () => failure
    if (health === 'well' || world.chance(0.5)) return well
    if (world.chance(0.4)) return () => (world.chance(0.5) ? failure : well())
    const until = world.now + world.below(world.pick([MINUTE, MINUTE, HOUR, HOUR, DAY]))
    return (now) => (now < until ? failure : well())
  }
}
