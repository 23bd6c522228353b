import type { fanOut, notFound, sweep, workers } from '#shared/background.ts'
import type { Purpose } from '#shared/crypto/sealed-text.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import type {
  DocumentRoute,
  documents,
  NotificationRoute,
  notifications,
  PageRoute,
  PictureRoute,
  pages,
  pictures,
  Route,
  routes,
} from '#shared/routes.ts'

/** A file of `functions/`, as the route table or the background list names it. */
export type File =
  | (typeof routes)[Route]
  | (typeof pages)[PageRoute]
  | (typeof pictures)[PictureRoute]
  | (typeof documents)[DocumentRoute]
  | (typeof notifications)[NotificationRoute]
  | (typeof workers)[keyof typeof workers]
  | typeof sweep
  | typeof fanOut
  | typeof notFound

/**
 * What a function does with the table, the queues, the vault and the bucket. The keys of a kind of records begin with
 * its name. The entries of a list have the kind `list#` followed by the kind of their records.
 */
export interface FunctionAccess {
  /** The kinds of records that the function reads by key. */
  readonly gets?: readonly string[]
  /** The kinds of records that the function queries or counts. */
  readonly queries?: readonly string[]
  readonly puts?: readonly string[]
  readonly deletes?: readonly string[]
  /** The kinds of records whose version the function only checks in a transaction. */
  readonly checks?: readonly string[]
  /** The queues that the function sends to. */
  readonly sends?: readonly QueueName[]
  /** The purposes for which the function seals data in the vault. */
  readonly seals?: readonly Purpose[]
  /** The purposes for which the function opens sealed data. */
  readonly opens?: readonly Purpose[]
  /**
   * The S3 actions that the function needs on the bytes of files. To sign a link to a file, a function must be allowed
   * to read the file.
   */
  readonly objects?: readonly ObjectAction[]
  /** The S3 actions that the function needs on the public copies of logos. */
  readonly logos?: readonly ObjectAction[]
}

export type ObjectAction = 'PutObject' | 'GetObject' | 'DeleteObject'

/**
 * The ways in which a function can access data: the fields of `FunctionAccess`, in the order in which they are shown.
 */
export const access_ways = [
  'gets',
  'queries',
  'puts',
  'deletes',
  'checks',
  'sends',
  'seals',
  'opens',
  'objects',
  'logos',
] as const satisfies readonly (keyof FunctionAccess)[]

export type AccessWay = (typeof access_ways)[number]

/** Combines several accesses into one. */
export function together(...accesses: readonly FunctionAccess[]): FunctionAccess {
  const allOf = (way: AccessWay) => [...new Set(accesses.flatMap((access) => access[way] ?? []))].sort()
  const entries = access_ways.map((way) => [way, allOf(way)] as const)
  return Object.fromEntries(entries.filter(([, all]) => all.length > 0))
}
