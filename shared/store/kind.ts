import type { Item, Key } from '#shared/platform/ports.ts'
import { type DueKind, dueShard } from './keys.ts'
import type { Entry } from './list-entries.ts'

/** A kind of record: where it stands, which lists name it, when it falls due, and what a merchant sees of it. */
export interface Kind<R extends { readonly version: number }> {
  readonly name: string
  key(merchant: string, record: R): Key
  /** The version of a new record, at least 1; absent: 1. Random where a record may follow a removed one under its key. */
  first_version?(): number
  /** The lists that the record stands in. */
  entries?(merchant: string, record: R): readonly Entry[]
  /** When something has to happen with the record by itself; undefined: never. */
  due?(record: R): string | undefined
  readonly due_kind?: DueKind
  /** Epoch seconds after which the table may drop the record. */
  ttl?(record: R): number
  /** Rows that tell what a change did, at `now` in epoch milliseconds; none is written more than a minute later. */
  beside?(merchant: string, before: R | undefined, after: R, now: number): readonly Item[]
  /** What events carry of the record: the resource as a merchant sees it. */
  view?(record: R): object
  /** Fields whose values are a merchant's own (any number, any name): kept as JSON text. */
  readonly as_text?: readonly (keyof R & string)[]
}

/**
 * The item that keeps a record, one version up, or in its kind's first version. `changed_at` keeps the order of its events
 * when clocks differ.
 */
export function itemOf<R extends { readonly version: number }>(
  kind: Kind<R>,
  merchant: string,
  record: R,
  changed_at: number,
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
  if (kind.ttl) item.ttl = kind.ttl(record)
  return item as Item
}

/** The record that an item keeps. */
export function recordOf<R extends { readonly version: number }>(kind: Kind<R>, item: Item): R {
  const { pk, sk, due_shard, due_at, ttl, changed_at, ...record } = item as Item & Record<string, unknown>
  for (const field of kind.as_text ?? []) record[field] = JSON.parse(record[field] as string)
  return record as unknown as R
}
