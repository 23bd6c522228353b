import { setTimeout as passes } from 'node:timers/promises'
import type { LocalRun } from '#test/fixtures/local-run.ts'
import type { RunningStripe } from '#test/fixtures/stripe/server.ts'

/** Where the service is killed: before a call of the provider is executed, after it, or after its answer has arrived. */
export const kill_moments = ['before', 'after', 'answered'] as const

/** A moment of a call to the provider. */
export interface KillStep {
  /** The method and path of the call, with `:id` for the ids of objects. */
  readonly call: string
  readonly moment: (typeof kill_moments)[number]
}

/** The longest time between the answer of the provider and a kill at `answered`, in milliseconds. */
const ANSWERED_FOR_MS = 20

/** Kills the service at a step of its calls to the provider, and records the calls. */
export class ProviderKiller {
  readonly #random: () => number
  #step: KillStep | undefined
  #run: LocalRun | undefined
  #ended: () => void = () => {}
  /** The calls that the provider got, the oldest first. */
  readonly calls: string[] = []

  constructor({ emulator }: RunningStripe, random: () => number) {
    this.#random = random
    const handle = emulator.handle.bind(emulator)
    emulator.handle = async (request, signal) => {
      const call = nameOf(request)
      this.calls.push(call)
      const moment = this.#step?.call === call ? this.#step.moment : undefined
      if (moment) this.#step = undefined
      if (moment === 'before') {
        await this.killNow()
        return { status: 0, headers: {}, body: '', arrives: 'never' }
      }
      const answer = await handle(request, signal)
      if (moment === 'after') await this.killNow()
      if (moment === 'answered') passes(this.#random() * ANSWERED_FOR_MS).then(() => this.killNow())
      return answer
    }
  }

  /** Kills the service at the next call of the given step. Resolves when the service is killed. */
  killAt(run: LocalRun, step: KillStep): Promise<void> {
    this.#step = step
    this.#run = run
    return new Promise((ended) => {
      this.#ended = ended
    })
  }

  /** Kills the service, unless it is killed already. Returns whether the given step was reached. */
  async killNow(): Promise<boolean> {
    const was_reached = this.#step === undefined
    const run = this.#run
    this.#run = undefined
    this.#step = undefined
    await run?.kill()
    this.#ended()
    return was_reached
  }
}

const nameOf = ({ method, path }: { readonly method: string; readonly path: string }): string =>
  `${method} ${path.replace(/\?.*/, '').replace(/\/[a-z]+_\d+/, '/:id')}`
