import { isDeepStrictEqual } from 'node:util'
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { Item, Write } from '../ports.ts'
import { type Attribute, valuesIn } from './attribute.ts'

/**
 * Finds out from a refusal whether an earlier send of the same writes, whose response was lost, was executed. Returns
 * undefined if the refusal does not show it.
 *
 * - `done`: every conditional put is found exactly as written, and every deleted item is gone. Another writer may have
 *   written exactly the same items, but then the table has the same content.
 * - `not_done`: every item that is found has the version that this writer would have written, but different content. So
 *   another writer wrote these items. One item that is exactly as written leaves the result open: an item that is
 *   deleted and created again repeats its first version, so another writer can have replaced the other items.
 *
 * A version check shows nothing, because its item may have changed since. For some minutes, DynamoDB recognizes the
 * ClientRequestToken of an executed transaction. Within these minutes the next send succeeds, and this function is not
 * called.
 */
export function earlierSend(error: unknown, writes: readonly Write[]): 'done' | 'not_done' | undefined {
  const refusals = refusalsIn(error)
  const puts = writes.flatMap((write, index) =>
    'put' in write && write.was !== undefined ? { written: plain(write.put), found: refusals[index]?.found } : [],
  )
  const isOurs = ({ written, found }: (typeof puts)[number]) => isDeepStrictEqual(found, written)
  const areDeleted = writes.every((write, index) => !('delete' in write) || isDeleted(write.was, refusals[index]))
  if (puts.length > 0 && puts.every(isOurs) && areDeleted) return 'done'
  const others = puts.filter(({ found }) => found)
  const areOfOthers = others.every((put) => put.found!.version === put.written.version && !isOurs(put))
  return others.length > 0 && areOfOthers ? 'not_done' : undefined
}

/** A failed condition, with the item that was found; without `found` if there was none. */
interface Refusal {
  readonly found?: Item
}

/** The failed condition of each write; undefined if the condition held. */
function refusalsIn(error: unknown): (Refusal | undefined)[] {
  if (error instanceof ConditionalCheckFailedException) return [{ found: itemIn(error) }]
  if (!(error instanceof TransactionCanceledException)) return []
  return (error.CancellationReasons ?? []).map((reason) =>
    reason.Code === 'ConditionalCheckFailed' ? { found: itemIn(reason) } : undefined,
  )
}

/**
 * Whether a delete may have been executed. If so, a condition on a version fails because the item is gone. A delete
 * without such a condition does not fail.
 */
function isDeleted(was: number | undefined, refusal: Refusal | undefined): boolean {
  if (!was) return !refusal
  return refusal !== undefined && !refusal.found
}

const itemIn = ({ Item: item }: { readonly Item?: object }): Item | undefined =>
  item && (valuesIn(item as Readonly<Record<string, Attribute>>) as Item)

/** An item as the table stores it, without undefined values. */
const plain = (item: Item): Item => JSON.parse(JSON.stringify(item))
