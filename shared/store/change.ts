import { Refusal } from '#shared/domain/errors.ts'
import type { EventType } from '#shared/domain/event.ts'
import type { Key, LogEntry } from '#shared/platform/ports.ts'
import { type AnyRecord, type Kind, keyOfId } from './kind.ts'
import { type ChangeContext, type WritesOfChange, writesOfChange } from './writes-of-change.ts'

/**
 * A change to one record: its next state, its removal or a version check. `key` and `writes` already know the record
 * and its kind, so changes to records of different kinds have the same type.
 */
export interface Change<R extends AnyRecord = AnyRecord> {
  /** The kind that the change was made with. */
  readonly kind: { readonly name: string }
  /** The version that the change expects the record to have; 0 if it expects no record. */
  readonly was: number
  /** The next state of the record; undefined for a removal and for a version check. */
  readonly after?: R
  /** The types of the events that the change emits, in order. */
  readonly events: readonly EventType[]
  /** Whether the change must be recorded, for example after money has moved. It is then never refused for its size. */
  readonly must_record?: boolean
  /** A log line that is written after the commit. */
  readonly log?: LogEntry
  /** The key of the record. */
  key(merchant: string): Key
  /** The writes of the change, with its events and list entries. */
  writes(context: ChangeContext): WritesOfChange
}

/** A change that stores the next state of a record. */
export const changed = <R extends AnyRecord>(
  kind: Kind<R>,
  after: R,
  events: readonly EventType[] = [],
  { must_record = false, log }: { readonly must_record?: boolean; readonly log?: LogEntry } = {},
): Change => ({
  kind,
  was: after.version,
  after,
  events,
  must_record,
  log,
  key: (merchant) => kind.key(merchant, after),
  writes: (context) => writesOfChange(kind, { record: after, is_removal: false, events }, context),
})

/** A change that removes a record. `gone` is the record as its last events show it. */
export const removed = <R extends AnyRecord>(kind: Kind<R>, gone: R, events: readonly EventType[] = []): Change => ({
  kind,
  was: gone.version,
  events,
  key: (merchant) => kind.key(merchant, gone),
  writes: (context) => writesOfChange(kind, { record: gone, is_removal: true, events }, context),
})

/** A version check: the commit fails if the record has changed since it was read. */
export const unchanged = <R extends AnyRecord>(kind: Kind<R>, record: R): Change =>
  versionCheck(kind, record.version, (merchant) => kind.key(merchant, record))

/** A version check: the commit fails if the merchant has a record with this id. */
export const absent = <R extends AnyRecord & { readonly id: string }>(kind: Kind<R>, id: string): Change =>
  versionCheck(kind, 0, (merchant) => keyOfId(kind, merchant, id))

const versionCheck = (kind: Change['kind'], was: number, key: Change['key']): Change => ({
  kind,
  was,
  events: [],
  key,
  writes: ({ merchant, before }) => ({
    item: before,
    writes: [{ check: key(merchant), was }],
    latest: Number.POSITIVE_INFINITY,
    is_due_real: false,
  }),
})

/**
 * The first record of a kind as the changes leave it. Undefined if no change concerns the kind, or if the first one
 * removes or only checks its record.
 */
export function changedIn<R extends AnyRecord>(changes: readonly Change[], kind: Kind<R>): R | undefined {
  return changes.find((change) => isOf(kind, change))?.after
}

/** Whether a change was made with this kind. Its record is then a record of this kind. */
const isOf = <R extends AnyRecord>(kind: Kind<R>, change: Change): change is Change<R> => change.kind === kind

/** The largest record that a request can store, in bytes: the 400 KB of an item, less room for what an outcome adds. */
const RECORD_BYTES_MAX = 340_000

/**
 * Refuses with `unprocessable_entity` any change that would make a record too large to store. A `must_record` change is
 * exempt.
 */
export function refuseOversize(changes: readonly Change[]): void {
  for (const change of changes)
    if (change.after && !change.must_record && isOversize(change.after))
      throw new Refusal('unprocessable_entity', {
        message: 'The resource would become too large to be kept. Send fewer or shorter texts, above all in metadata.',
      })
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
