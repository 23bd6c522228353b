import type { Slot } from '#infra/names.ts'
import { otherSlot } from '#infra/names.ts'
import type { Surroundings } from '#infra/release/release.ts'
import type { Share } from '#infra/release/shifts.ts'
import type { Placed, Situation } from '#infra/release/situation.ts'
import type { AlarmState } from '#infra/release/verdict.ts'

/** A version of the service: the routes that it has, and what fails in it. */
export interface Version {
  readonly name: string
  readonly routes: readonly string[]
  readonly requestsFail?: boolean
  readonly workFails?: boolean
  readonly unresolved?: boolean
}

/** The process of a release was killed. */
export class Killed extends Error {}

interface Gateway {
  live: Placed
  former: string | undefined
  candidate: (Placed & { percent: number }) | undefined
}

const SECONDS_A_TICK = 15
const REQUESTS_A_TICK = 40
const MESSAGES_A_TICK = 20
const MINUTE_MS = 60_000

/** How many messages a slot takes in a tick, by its share. */
const taken: Readonly<Record<Share, number>> = { off: 0, tenth: 4, full: 40 }

/**
 * A model of a stage with two slots on virtual time: requests that API Gateway splits between two deployments, a queue
 * that the workers of both slots read, and alarms over the last five minutes. Nothing in it knows how a release works.
 */
export class ReleaseModel implements Surroundings {
  readonly stage = 'prod'
  readonly said: string[] = []
  /** The status of every response, with the version that gave it. */
  readonly responses: { at: number; route: string; version: string; status: number }[] = []
  readonly #versions: Partial<Record<Slot, Version>> = {}
  readonly #shares: Record<Slot, Share> = { a: 'off', b: 'off' }
  readonly #deployments = new Map<string, Version>()
  readonly #signals: { at: number; alarm: string }[] = []
  #gateway: Gateway | undefined
  #next: Version
  #now = 0
  #calls = 0
  #killed_at: number | undefined
  queued = 0
  done = 0
  sent = 0

  constructor(serving: Version | undefined, next: Version) {
    this.#next = next
    if (!serving) return
    this.#versions.a = serving
    this.#shares.a = 'full'
    this.#deployments.set('first', serving)
    this.#gateway = { live: { slot: 'a', deployment: 'first' }, former: undefined, candidate: undefined }
  }

  /** Kills the process of the release at its call with this number, counted from 0. */
  killAt(call: number): void {
    this.#killed_at = this.#calls + call
  }

  revive(): void {
    this.#killed_at = undefined
  }

  setNext(version: Version): void {
    this.#next = version
  }

  get live(): Version {
    return this.#versions[this.#gateway!.live.slot]!
  }

  get shares(): Readonly<Record<Slot, Share>> {
    return this.#shares
  }

  get minutes(): number {
    return this.#now / MINUTE_MS
  }

  readonly now = () => this.#now

  async situation(): Promise<Situation> {
    this.#call()
    const shareIn = (slot: Slot) => (this.#versions[slot] ? this.#shares[slot] : undefined)
    const { live, former, candidate } = this.#gateway ?? {}
    return {
      ...{ live, former, is_plain: false },
      candidate: candidate && { ...candidate },
      background: { a: shareIn('a'), b: shareIn('b') },
    }
  }

  async adopt(): Promise<void> {
    throw new Error('The stage has slots.')
  }

  async forgetFormer(): Promise<void> {
    this.#call()
    this.#gateway!.former = undefined
  }

  async deploy(slot: Slot, live: Placed | undefined): Promise<string> {
    this.#call()
    const deployment = `deployment-${this.#deployments.size}`
    // A deployment takes minutes, in which the other slot serves.
    this.#versions[slot] = this.#next
    this.#deployments.set(deployment, this.#next)
    this.#gateway ??= { live: { slot, deployment }, former: undefined, candidate: undefined }
    if (live) this.#pass(5 * MINUTE_MS)
    return deployment
  }

  async shift(candidate: Placed, percent: number): Promise<void> {
    this.#call()
    this.#gateway!.candidate = { ...candidate, percent }
  }

  async promote(candidate: Placed, former: Placed): Promise<void> {
    this.#call()
    Object.assign(this.#gateway!, {
      live: { slot: candidate.slot, deployment: candidate.deployment },
      former: former.deployment,
    })
  }

  async switchTo(next: Placed, former: Placed): Promise<void> {
    await this.promote(next, former)
  }

  async endShift(): Promise<void> {
    this.#call()
    if (this.#gateway) this.#gateway.candidate = undefined
  }

  async work(slot: Slot, share: Share): Promise<void> {
    this.#call()
    if (this.#versions[slot]) this.#shares[slot] = share
  }

  async alarms(names: readonly string[]): Promise<ReadonlyMap<string, AlarmState>> {
    this.#call()
    const since = this.#now - 5 * MINUTE_MS
    const firing = new Set(this.#signals.filter(({ at }) => at > since).map(({ alarm }) => alarm))
    return new Map(names.map((name) => [name, firing.has(name.replace('payment-service-prod-', '')) ? 'alarm' : 'ok']))
  }

  async wait(ms: number): Promise<void> {
    this.#call()
    this.#pass(ms)
  }

  say(line: string): void {
    this.said.push(line)
  }

  /** Lets time pass with the traffic of a stage. */
  #pass(ms: number): void {
    for (let passed = 0; passed < ms; passed += SECONDS_A_TICK * 1000) {
      this.#now += SECONDS_A_TICK * 1000
      for (let n = 0; n < REQUESTS_A_TICK; n++) this.#request(n)
      this.#workOnce()
    }
  }

  letPass(minutes: number): void {
    this.#pass(minutes * MINUTE_MS)
  }

  /** One request. API Gateway sends every tenth one to a candidate that gets 10 %. */
  #request(n: number): void {
    const { live, candidate } = this.#gateway!
    const isCandidate = candidate !== undefined && (n % 10) * 10 < candidate.percent
    const { slot, deployment } = isCandidate ? candidate : live
    const route = n % 20 < 10 ? 'GET /old' : 'GET /payments'
    const functions = this.#versions[slot]
    const table = this.#deployments.get(deployment)
    const status = statusOf(route, table, functions)
    this.responses.push({ at: this.#now, route, version: functions?.name ?? 'nothing', status })
    if (isCandidate && status >= 500) this.#signal('candidate-server-errors')
  }

  #workOnce(): void {
    this.queued += MESSAGES_A_TICK
    this.sent += MESSAGES_A_TICK
    for (const slot of ['a', 'b'] as const) {
      const version = this.#versions[slot]
      const messages = version ? Math.min(this.queued, taken[this.#shares[slot]]) : 0
      if (messages === 0) continue
      if (version!.unresolved) this.#signal(`${slot}-unresolved`)
      // A message that fails returns to the queue.
      if (version!.workFails) this.#signal(`${slot}-failed-work`)
      else {
        this.queued -= messages
        this.done += messages
      }
    }
  }

  #signal(alarm: string): void {
    this.#signals.push({ at: this.#now, alarm })
  }

  /** A call of the release. A killed process makes no more calls. */
  #call(): void {
    if (this.#killed_at !== undefined && this.#calls >= this.#killed_at) throw new Killed()
    this.#calls++
  }

  /** What the idle slot has. */
  get idle(): Version | undefined {
    return this.#versions[otherSlot(this.#gateway!.live.slot)]
  }
}

/**
 * The status of a response. A deployment leads each of its routes to a function, and any other path to the function
 * `not-found`. A function that its slot does not have is an internal error of API Gateway.
 */
function statusOf(route: string, table: Version | undefined, functions: Version | undefined): number {
  if (!table || !functions) return 500
  if (!table.routes.includes(route)) return functions.requestsFail ? 500 : 404
  if (!functions.routes.includes(route)) return 500
  return functions.requestsFail ? 500 : 200
}
