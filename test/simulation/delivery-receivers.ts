import { DAY, HOUR, MINUTE, type World } from './world.ts'

/** Returns the status of a receiver's response at a time, or null if the receiver does not respond. */
type Behaviour = (now: number) => number | null

const FAILURES = [500, 503, 404, 301, 199, null]

/** The health of a history's receivers: most fail for ever, some fail for a while, or all are healthy. */
export type Health = 'failing' | 'mixed' | 'healthy'

/** The merchant's servers, each with one behaviour for the whole history. */
export class Receivers {
  readonly urls: readonly string[]
  readonly #world: World
  readonly #behaviours = new Map<string, Behaviour>()

  constructor(world: World, health: Health) {
    this.#world = world
    this.urls = Array.from({ length: 4 }, (_, number) => `https://receiver${number}.example/hook`)
    for (const url of this.urls) this.#behaviours.set(url, this.#behaviour(health))
  }

  answer(url: string): number | null {
    return this.#behaviours.get(url)!(this.#world.now)
  }

  #behaviour(health: Health): Behaviour {
    const world = this.#world
    const success = () => world.pick([200, 201, 204, 299])
    const failure = world.pick(FAILURES)
    if (health === 'failing' && world.chance(0.7)) return () => failure
    if (health === 'healthy' || world.chance(0.5)) return success
    if (world.chance(0.4)) return () => (world.chance(0.5) ? failure : success())
    const until = world.now + world.below(world.pick([MINUTE, MINUTE, HOUR, HOUR, DAY]))
    return (now) => (now < until ? failure : success())
  }
}
