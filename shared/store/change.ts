import { Refusal } from '#shared/domain/errors.ts'
import type { EventType } from '#shared/domain/event.ts'
import type { LogEntry } from '#shared/platform/ports.ts'
import type { Kind } from './kind.ts'

/**
 * What is to become of a record: its next state and the events that tell of it, in their order. `owed` marks a change
 * that must not be refused any more, since money has moved; `log` is a line for the log once it is committed.
 */
export type Change =
  | {
      readonly kind: Kind<never>
      readonly after: { readonly version: number }
      readonly events?: readonly EventType[]
      readonly owed?: boolean
      readonly log?: LogEntry
    }
  | { readonly kind: Kind<never>; readonly gone: { readonly version: number }; readonly events?: readonly EventType[] }
  | { readonly kind: Kind<never>; readonly unchanged: { readonly version: number } }

export const changed = <R extends { readonly version: number }>(
  kind: Kind<R>,
  after: R,
  events: readonly EventType[] = [],
  { owed = false, log }: { readonly owed?: boolean; readonly log?: LogEntry } = {},
): Change => ({ kind: kind as unknown as Kind<never>, after, events, owed, log })

/** The record is erased; `gone` is what its last event shows of it. */
export const removed = <R extends { readonly version: number }>(
  kind: Kind<R>,
  gone: R,
  events: readonly EventType[] = [],
): Change => ({ kind: kind as unknown as Kind<never>, gone, events })

/** The commit holds only if nobody changed the record since it was read. */
export const unchanged = <R extends { readonly version: number }>(kind: Kind<R>, record: R): Change => ({
  kind: kind as unknown as Kind<never>,
  unchanged: record,
})

/** The commit holds only if the merchant has no record with this id. */
export const absent = <R extends { readonly id: string; readonly version: number }>(
  kind: Kind<R>,
  id: string,
): Change => unchanged(kind, { id, version: 0 } as R)

/** The first record of a kind as these changes leave it; undefined when none of them is about one. */
export function changedIn<R extends { readonly version: number }>(
  changes: readonly Change[],
  kind: Kind<R>,
): R | undefined {
  const change = changes.find((entry) => (entry.kind as unknown) === kind)
  return change && 'after' in change ? (change.after as unknown as R) : undefined
}

/** The largest record that a request may make, in bytes: what an item may hold, less room for what an outcome adds. */
const RECORD_BYTES_MAX = 340_000

/** Refuses with `unprocessable_entity` changes that would make a record too large to be kept. */
export function refuseOversize(changes: readonly Change[]): void {
  for (const change of changes)
    if ('after' in change && !change.owed && isOversize(change.after))
      throw new Refusal('unprocessable_entity', { message: 'The resource would become too large to be kept.' })
}

/** Whether a record is too large to be made. */
export const isOversize = (record: object): boolean => bytesOf(record) > RECORD_BYTES_MAX

/** About what a record takes in the table: text as it is, all else no more than its JSON. */
function bytesOf(record: object): number {
  const texts = Object.values(record).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return texts.reduce((bytes, text = '') => bytes + Buffer.byteLength(text), 0)
}
