import { namesInSlot, otherSlot, SLOTS, type Slot } from '#infra/names.ts'
import type { Share } from './shifts.ts'
import { type Shift, shiftsFrom } from './shifts.ts'
import { type Placed, type Situation, startOf } from './situation.ts'
import { type AlarmState, type Verdict, verdictOn } from './verdict.ts'

/** What a release needs of the outside: AWS, the deployment of templates, and time. */
export interface Surroundings {
  readonly stage: string
  /** Reads what AWS says about the stage. */
  situation(): Promise<Situation>
  /** Makes a copy of the deployment that serves, which no template owns, and lets the stage serve from the copy. */
  adopt(): Promise<void>
  /** Forgets the former deployment, because its slot gets other functions. */
  forgetFormer(): Promise<void>
  /** Deploys this checkout into a slot and returns the deployment of the API that leads to it. Shifts no traffic. */
  deploy(slot: Slot, live: Placed | undefined): Promise<string>
  /** Sends a part of the requests to a candidate. */
  shift(candidate: Placed, percent: number): Promise<void>
  /** Lets the candidate that gets all requests be the one that serves. */
  promote(candidate: Placed, former: Placed): Promise<void>
  /** Sends all requests to what serves. */
  endShift(): Promise<void>
  /** Lets another slot serve at once. */
  switchTo(next: Placed, former: Placed): Promise<void>
  /** Sets the background work of a slot. Does nothing for a slot without functions. */
  work(slot: Slot, share: Share): Promise<void>
  alarms(names: readonly string[]): Promise<ReadonlyMap<string, AlarmState | undefined>>
  readonly now: () => number
  wait(ms: number): Promise<void>
  say(line: string): void
}

/** How a release ended. Only `released` means that this checkout, or the interrupted release, serves now. */
export type Outcome = 'released' | 'rolled back' | 'settled'

const POLL_MS = 15_000

/** How long a release waits for the alarms of an earlier one to end. */
const STALE_MINUTES = 15

/**
 * `release` brings this checkout to all traffic, or takes everything back. It continues a release that was interrupted,
 * and ends then.
 */
export async function release(at: Surroundings): Promise<Outcome> {
  const situation = await at.situation()
  const start = startOf(situation)
  if (start.do === 'first release') return firstRelease(at, start.slot)
  if (start.do === 'settle') {
    at.say(`A release was interrupted. Slot ${start.live.slot} serves. Release this checkout with another run.`)
    await settle(at, start.live.slot)
    return 'settled'
  }
  if (start.do === 'continue') {
    at.say(`The release into slot ${start.candidate.slot} was interrupted. It continues.`)
    return shiftTo(at, start.candidate, start.live, start.candidate.percent)
  }
  await waitForQuiet(at, start.slot)
  if (situation.is_plain) await at.adopt()
  await at.forgetFormer()
  const { live } = await at.situation()
  at.say(`Slot ${start.live.slot} serves. This checkout goes into slot ${start.slot}.`)
  const candidate = { slot: start.slot, deployment: await at.deploy(start.slot, live) }
  return shiftTo(at, candidate, live!, 0)
}

/**
 * `rollBack` takes a release back: the one that is shifting, or else the one that serves, while the slot before it is
 * unchanged. Throws if there is nothing to go back to.
 */
export async function rollBack(at: Surroundings): Promise<Outcome> {
  const { live, candidate, former } = await at.situation()
  if (!live) throw new Error('Nothing is deployed yet.')
  if (candidate && candidate.slot !== live.slot) return takeBack(at, live.slot)
  if (former === undefined) throw new Error('The slot before was changed. Release the earlier version instead.')
  const next = { slot: otherSlot(live.slot), deployment: former }
  await at.work(next.slot, 'full')
  if (candidate) await at.endShift()
  await at.switchTo(next, live)
  return settled(at, next.slot, 'rolled back')
}

async function firstRelease(at: Surroundings, slot: Slot): Promise<Outcome> {
  at.say(`Nothing serves yet. This checkout goes into slot ${slot} and serves at once.`)
  await at.deploy(slot, undefined)
  return settled(at, slot, 'released')
}

async function shiftTo(at: Surroundings, candidate: Placed, live: Placed, percent: number): Promise<Outcome> {
  for (const shift of shiftsFrom(percent)) {
    at.say(`${shift.percent} % of the requests go to slot ${candidate.slot} for ${shift.bake_minutes} minutes.`)
    const verdict = await takeStep(at, candidate, live, shift)
    if (verdict.is === 'bad') {
      at.say(verdict.because)
      return takeBack(at, live.slot)
    }
  }
  await at.promote(candidate, live)
  return settled(at, candidate.slot, 'released')
}

/** Takes one step and watches it. A call of AWS that fails makes the candidate bad, because nobody would watch it. */
async function takeStep(at: Surroundings, candidate: Placed, live: Placed, shift: Shift): Promise<Verdict> {
  try {
    // The traffic comes first: without it, an interrupted release would look as if it had not begun.
    await at.shift(candidate, shift.percent)
    await at.work(candidate.slot, shift.candidate)
    await at.work(live.slot, shift.live)
    return await bake(at, candidate.slot, shift)
  } catch (error) {
    return { is: 'bad', because: `A call of AWS failed: ${(error as Error).message}` }
  }
}

async function bake(at: Surroundings, slot: Slot, { bake_minutes }: Shift): Promise<Verdict> {
  const began_at = at.now()
  for (;;) {
    const alarms = await at.alarms(namesInSlot(at.stage, slot).alarms)
    const verdict = verdictOn(alarms, { baked_ms: at.now() - began_at, bake_minutes })
    if (verdict.is !== 'wait') return verdict
    await at.wait(POLL_MS)
  }
}

/** Waits until the alarms of a release that was taken back have ended. They would end the next one at once. */
async function waitForQuiet(at: Surroundings, slot: Slot): Promise<void> {
  const began_at = at.now()
  for (;;) {
    const alarms = await at.alarms(namesInSlot(at.stage, slot).alarms)
    const firing = [...alarms].flatMap(([name, state]) => (state === 'alarm' ? [name] : []))
    if (firing.length === 0) return
    if (at.now() - began_at > STALE_MINUTES * 60_000)
      throw new Error(`The release does not begin while these alarms fire: ${firing.join(', ')}.`)
    await at.wait(POLL_MS)
  }
}

async function takeBack(at: Surroundings, live: Slot): Promise<Outcome> {
  await at.endShift()
  return settled(at, live, 'rolled back')
}

async function settled(at: Surroundings, slot: Slot, outcome: Outcome): Promise<Outcome> {
  await settle(at, slot)
  at.say(`${outcome === 'released' ? 'Released' : 'Rolled back'}: slot ${slot} serves.`)
  return outcome
}

/** Lets the background work follow the slot that serves. The live slot comes first, so that work never stops. */
async function settle(at: Surroundings, live: Slot): Promise<void> {
  await at.endShift()
  await at.work(live, 'full')
  for (const slot of SLOTS) if (slot !== live) await at.work(slot, 'off')
}
