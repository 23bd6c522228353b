import { otherSlot, SLOTS, type Slot } from '#infra/names.ts'
import type { Share } from './shifts.ts'

/** A slot and the deployment of the API that leads to it. */
export interface Placed {
  readonly slot: Slot
  readonly deployment: string
}

/**
 * What AWS says about a stage. A release keeps no record of its own: after an interruption, it continues from here.
 */
export interface Situation {
  /** What serves; undefined before the first release. */
  readonly live: Placed | undefined
  /** The deployment that served before, while its slot still has its functions. */
  readonly former: string | undefined
  /** What gets a part of the requests; undefined while no release shifts any. */
  readonly candidate: (Placed & { readonly percent: number }) | undefined
  /** Whether the stage was deployed without slots, so that CloudFormation still owns the deployment that serves. */
  readonly is_plain: boolean
  /** The background work of each slot: undefined for a slot without functions, `mixed` in the middle of a change. */
  readonly background: Readonly<Record<Slot, Share | 'mixed' | undefined>>
}

/** What a release has to do first. */
export type Start =
  | { readonly do: 'first release'; readonly slot: Slot }
  | { readonly do: 'release'; readonly live: Placed; readonly slot: Slot }
  | { readonly do: 'continue'; readonly live: Placed; readonly candidate: NonNullable<Situation['candidate']> }
  /** The release before was interrupted after its last shift, or while it was rolled back. */
  | { readonly do: 'settle'; readonly live: Placed }

/** Decides how a release begins, or where an interrupted one continues. */
export function startOf({ live, candidate, background }: Situation): Start {
  if (!live) return { do: 'first release', slot: SLOTS.find((slot) => isBusy(background[slot])) ?? 'a' }
  const is_promoted = candidate?.slot === live.slot
  if (candidate && !is_promoted) return { do: 'continue', live, candidate }
  const idle = otherSlot(live.slot)
  if (is_promoted || background[live.slot] !== 'full' || isBusy(background[idle])) return { do: 'settle', live }
  return { do: 'release', live, slot: idle }
}

const isBusy = (share: Share | 'mixed' | undefined): boolean => share !== undefined && share !== 'off'
