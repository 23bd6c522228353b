import type { Item, Key } from '#shared/platform/ports.ts'
import { type DueKind, dueShard } from './keys.ts'
import type { Entry } from './list-entries.ts'

/** What the records of every kind have in common. */
export type AnyRecord = {
  /** The version that the next write of the record checks; 0 for a record that is not stored yet. */
  readonly version: number
  /** Absent where another field identifies the record. A change to such a record emits no events. */
  readonly id?: string | null
}

/** A kind of record: its key, its lists, when it falls due, and what a merchant sees of it. */
export interface Kind<R extends AnyRecord> {
  readonly name: string
  key(merchant: string, record: R): Key
  /**
   * The version of a new record, at least 1. Absent: 1. The version is random for a kind whose records can be removed
   * and created again under the same key. The new record then does not repeat a version of the removed one.
   */
  first_version?(): number
  /** The list entries of the record. */
  entries?(merchant: string, record: R): readonly Entry[]
  /** When work on the record falls due, as a timestamp; undefined if never. */
  due?(record: R): string | undefined
  /**
   * When work on the record falls due by the merchant's clock, for a kind whose `due` can be a real time: the end of a
   * lease. Absent: `due`.
   */
  due_by_clock?(record: R): string | undefined
  readonly due_kind?: DueKind
  /** Epoch seconds after which the table may drop the record. */
  ttl?(record: R): number
  /**
   * Further items that a change writes with the record, at `now` in epoch milliseconds. The transaction is refused if
   * it is sent more than a minute later. A removal writes none.
   */
  extra_items?(merchant: string, before: R | undefined, after: R, now: number): readonly Item[]
  /** The resource that events carry: the record as a merchant sees it. */
  view?(record: R): object
  /** Fields that can contain any field name and any number that a merchant chooses. They are stored as JSON text. */
  readonly as_text?: readonly (keyof R & string)[]
}

/** The key of the record with this id. The kind must be one whose key depends on no other field of the record. */
export const keyOfId = <R extends AnyRecord & { readonly id: string }>(
  kind: Kind<R>,
  merchant: string,
  id: string,
): Key => kind.key(merchant, { id } as R)

/**
 * The item that stores a record with its next version. A new record gets the first version of its kind. `changed_at`
 * (epoch milliseconds) keeps the events of a record in order when clocks differ. The `ttl` is in real time, so it is
 * `ahead_ms` before the time that the record states by the merchant's clock.
 */
export function itemOf<R extends AnyRecord>(
  kind: Kind<R>,
  merchant: string,
  record: R,
  changed_at: number,
  ahead_ms = 0,
): Item {
  const key = kind.key(merchant, record)
  const due_at = kind.due?.(record)
  const version = (record.version === 0 && kind.first_version?.()) || record.version + 1
  const item: Record<string, unknown> = { ...record, ...key, version, changed_at }
  for (const field of kind.as_text ?? []) item[field] = JSON.stringify(record[field])
  if (due_at && kind.due_kind) {
    item.due_at = due_at
    item.due_shard = dueShard(kind.due_kind, key.pk)
  }
  if (kind.ttl) item.ttl = kind.ttl(record) - Math.floor(ahead_ms / 1000)
  return item as Item
}

/** The record that an item stores. */
export function recordOf<R extends AnyRecord>(kind: Kind<R>, item: Item): R {
  const stored = item as Item & Record<string, unknown>
  const { pk, sk, due_shard, due_at, ttl, changed_at, counted_in, moved_in, ...record } = stored
  for (const field of kind.as_text ?? []) record[field] = JSON.parse(record[field] as string)
  return attributesOf<R>(record)
}

/**
 * The attributes of an item, with the type of what the service stores under its key. The type is not checked: nothing
 * else writes to the table, and every key holds items of one type. Use `recordOf` for the records of a kind.
 */
export const attributesOf = <Attributes extends object>(item: Readonly<Record<string, unknown>>): Attributes =>
  item as unknown as Attributes
