import type { Exchange } from '#test/fixtures/stripe/emulator.ts'
import type { Event } from '#test/fixtures/stripe/objects.ts'
import { charge, TurnedClock } from '#test/fixtures/stripe/sdk.ts'
import { type RunningStripe, startStripe } from '#test/fixtures/stripe/server.ts'
import { type Driver, type MakeDriver, observerAt } from './driver.ts'
import { type Customer, common_flows, other_flows, runFlow, type State } from './flows.ts'
import { otherCalls } from './other-calls.ts'

/** What a run of every flow at the emulator left behind. */
export interface EmulatorRun {
  readonly states: Readonly<Record<string, readonly State[]>>
  readonly exchanges: readonly Exchange[]
  readonly events: readonly Event[]
}

/** Runs every flow of a driver at a new emulator. `plant` may change the driver or the emulator before. */
export async function runAtEmulator(
  makeDriver: MakeDriver,
  plant: (driver: Driver, running: RunningStripe) => Driver = (driver) => driver,
): Promise<EmulatorRun> {
  const clock = new TurnedClock()
  const exchanges: Exchange[] = []
  const running = await startStripe({ clock, onExchange: (exchange) => exchanges.push(exchange) })
  const sdk = observerAt(running.url)
  const driver = plant(makeDriver(running.url, clock.now()), running)
  const stage = { driver, sdk, customer: customerAt(running.url), now: clock.now() / 1000 }
  const states: Record<string, State[]> = {}
  try {
    for (const [name, flow] of Object.entries({ ...common_flows, ...other_flows })) {
      states[name] = await runFlow(stage, name, flow)
    }
    const disputed = await charge(sdk, '4000000000000259')
    for (const { id } of running.emulator.account.disputes.values()) await sdk.disputes.retrieve(id)
    await otherCalls(sdk, disputed.id)
    return { states, exchanges, events: [...running.emulator.account.events.values()] }
  } finally {
    await running.stop()
  }
}

function customerAt(url: string): Customer {
  return {
    async authenticate({ id }, passes) {
      const body = new URLSearchParams({ outcome: passes ? 'pass' : 'fail' })
      const response = await fetch(`${url}/_test/authenticate/${id}`, { method: 'POST', body, redirect: 'manual' })
      if (response.status >= 400) throw new Error(`The page of ${id} answered ${response.status}`)
    },
  }
}
