import { Refusal } from '#shared/domain/errors.ts'
import type { EventType } from '#shared/domain/event.ts'
import type { LogEntry } from '#shared/platform/ports.ts'
import type { Kind } from './kind.ts'

/**
 * A change to one record: its next state (`after`), its removal (`gone`) or a version check (`unchanged`), with the
 * events that it emits, in order. An `owed` change is never refused for its size, because it must be recorded, for
 * example after money has moved. `log` is a log line that is written after the commit.
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

/** A change that removes a record. `gone` is the record as its last events show it. */
export const removed = <R extends { readonly version: number }>(
  kind: Kind<R>,
  gone: R,
  events: readonly EventType[] = [],
): Change => ({ kind: kind as unknown as Kind<never>, gone, events })

/** A version check: the commit fails if the record has changed since it was read. */
export const unchanged = <R extends { readonly version: number }>(kind: Kind<R>, record: R): Change => ({
  kind: kind as unknown as Kind<never>,
  unchanged: record,
})

/** A version check: the commit fails if the merchant has a record with this id. */
export const absent = <R extends { readonly id: string; readonly version: number }>(
  kind: Kind<R>,
  id: string,
): Change => unchanged(kind, { id, version: 0 } as R)

/**
 * The first record of a kind as the changes leave it. Undefined if no change concerns the kind, or if the first one
 * removes or only checks its record.
 */
export function changedIn<R extends { readonly version: number }>(
  changes: readonly Change[],
  kind: Kind<R>,
): R | undefined {
  const change = changes.find((entry) => (entry.kind as unknown) === kind)
  return change && 'after' in change ? (change.after as unknown as R) : undefined
}

/** The largest record that a request can store, in bytes: the 400 KB of an item, less room for what an outcome adds. */
const RECORD_BYTES_MAX = 340_000

/**
 * Refuses with `unprocessable_entity` any change that would make a record too large to store. An `owed` change is
 * exempt.
 */
export function refuseOversize(changes: readonly Change[]): void {
  for (const change of changes)
    if ('after' in change && !change.owed && isOversize(change.after))
      throw new Refusal('unprocessable_entity', { message: 'The resource would become too large to be kept.' })
}

/** Whether a record is too large for a request to store. */
export const isOversize = (record: object): boolean => bytesOf(record) > RECORD_BYTES_MAX

/**
 * The approximate size of a record in the table, in bytes. Text is stored as it is. Other values take at most the size
 * of their JSON.
 */
function bytesOf(record: object): number {
  const texts = Object.values(record).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)))
  return texts.reduce((bytes, text = '') => bytes + Buffer.byteLength(text), 0)
}
