import { AsyncLocalStorage } from 'node:async_hooks'
import Stripe from 'stripe'
import { stripeClient } from '#shared/acquirer/stripe/client.ts'
import type { ApiAnswer, StripeEmulator } from '#test/fixtures/stripe/emulator.ts'
import type { Fault } from '#test/fixtures/stripe/faults.ts'
import { responseOf } from '#test/fixtures/stripe/in-process-client.ts'
import { MINUTE, type Process, SECOND, type World } from './world.ts'

/** What the SDK sends. */
export interface ApiCall {
  readonly path: string
  readonly method: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** How long the SDK waits for the answer, in milliseconds. */
  readonly timeout: number
}

/** A process that calls the provider, and the network between them. */
export interface Caller {
  readonly process: Process
  readonly world: World
  readonly network: Network
}

/** The process that runs now. All processes of a history share one client of the SDK, so its requests have no other mark. */
export const callers = new AsyncLocalStorage<Caller>()

export const API_KEY = 'sk_test_emulator'
export const API_HOST = 'http://127.0.0.1:1'

type NodeHttpClient = ReturnType<typeof Stripe.createNodeHttpClient>

/** Makes the SDK call the network of the history that runs, and the real network outside of histories. Loads the SDK. */
export async function prepareSdk(): Promise<void> {
  const createReal = Stripe.createNodeHttpClient
  Stripe.createNodeHttpClient = (agent) => {
    const real = createReal(agent)
    const makeRequest: NodeHttpClient['makeRequest'] = (...input) => {
      const caller = callers.getStore()
      if (!caller) return real.makeRequest(...input)
      const [, , path, method, headers, body, , timeout] = input
      const sent = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)])
      const call = { path, method, headers: Object.fromEntries(sent), body: body ?? '', timeout }
      return caller.network.request(caller.process, call) as ReturnType<NodeHttpClient['makeRequest']>
    }
    return { getClientName: () => real.getClientName(), makeRequest }
  }
  await stripeClient(API_KEY, API_HOST)
}

/** What the network does to a request. `arrives_late`: the provider executes it minutes after its caller has given up. */
const network_faults = [
  'crash_before',
  'crash_after',
  'never_arrives',
  'arrives_late',
  'answer_lost',
  'answer_late',
] as const

/** What the provider does to a request. */
const provider_faults = [
  'cut_mid_body',
  'not_json',
  'stored_500',
  'unexecuted_500',
  'key_in_use',
  'rate_limit',
  'lock_timeout',
  'key_rolled',
  'notified_first',
  'paid_first',
] as const satisfies readonly Fault[]

export type NetworkFault = (typeof network_faults)[number] | (typeof provider_faults)[number]

/** The rate of a fault that a history has often. */
const OFTEN = 0.25

/** How a mutant changes the network. */
export interface NetworkChange {
  /** Returns the request that is sent in place of the given one. */
  readonly request?: (call: ApiCall) => ApiCall
  /** The only fault of the network in each history of the mutant, because few other histories show the mutant. */
  readonly only?: NetworkFault
}

/** Gets what happens in the network: a key that is used for another request, and a request that arrives late. */
export interface NetworkWitness {
  onMismatch(path: string): void
  onLate(path: string): void
}

/** The network between the processes of a history and the provider, with the faults of both. */
export class Network {
  readonly #world: World
  readonly #emulator: StripeEmulator
  readonly #witness: NetworkWitness
  readonly #change: NetworkChange
  /** The probability of each fault. About half of the faults are left out. */
  readonly #rates: Map<NetworkFault, number>
  /** While the provider is down, no request arrives. */
  down_until = 0
  /** Whether the list of events answers nothing. */
  hides_events = false

  constructor(world: World, emulator: StripeEmulator, witness: NetworkWitness, change: NetworkChange) {
    this.#world = world
    this.#emulator = emulator
    this.#witness = witness
    this.#change = change
    const all = [...network_faults, ...provider_faults]
    const rates = new Map<NetworkFault, number>(
      all.map((fault) => [fault, world.chance(0.5) ? 0 : world.pick([0.005, 0.02, 0.08])]),
    )
    if (world.chance(0.3)) rates.set(world.pick([...all, 'arrives_late', 'arrives_late']), OFTEN)
    this.#rates = change.only ? new Map([[change.only, OFTEN]]) : rates
  }

  /** Sends a request of a process. */
  async request(process: Process, sent: ApiCall): Promise<Stripe.HttpClientResponse> {
    const world = this.#world
    const call = this.#change.request?.(sent) ?? sent
    const name = `${call.method} ${call.path}`
    await world.turn(process, world.latency())
    if (world.now < this.down_until) return this.#silence(process, call, `${name}: the provider is down`)
    if (this.hides_events && call.path.startsWith('/v1/events')) return this.#silence(process, call, `${name}: no list`)
    const fault = world.is_calm ? undefined : this.#draw()
    if (fault) world.happened(fault)
    if (world.trace) world.say(process, fault ? `${name}: ${fault}` : `${name} ${call.body}`)
    switch (fault) {
      case 'crash_before':
        return world.crash(process)
      case 'crash_after':
        await this.#handle(call)
        return world.crash(process)
      case 'never_arrives':
        return this.#silence(process, call)
      case 'arrives_late':
        world.after(world.below(world.pick([30 * SECOND, 2 * MINUTE, 10 * MINUTE])), () => void this.#handle(call))
        this.#witness.onLate(call.path)
        return this.#silence(process, call)
      case 'answer_lost':
      case 'answer_late':
        await this.#handle(call)
        return this.#silence(process, call)
    }
    if (fault) this.#emulator.faults.plan({ fault, call: 'any' })
    const answer = await this.#handle(call)
    await world.turn(process, world.latency())
    if (answer.arrives === 'never') throw new Error('aborted')
    return responseOf(answer)
  }

  async #handle(call: ApiCall): Promise<ApiAnswer> {
    const answer = await this.#emulator.handle(call)
    if (answer.body.includes('"idempotency_error"')) this.#witness.onMismatch(call.path)
    return answer
  }

  /** The connection closes, or the answer does not come in time. */
  async #silence(process: Process, { timeout }: ApiCall, text?: string): Promise<never> {
    const world = this.#world
    if (text) world.say(process, text)
    await world.turn(process, world.chance(0.5) ? timeout : world.latency())
    throw new Error('aborted')
  }

  #draw(): NetworkFault | undefined {
    for (const [fault, rate] of this.#rates) if (rate > 0 && this.#world.chance(rate)) return fault
    return undefined
  }
}
