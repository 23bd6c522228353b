import { isDeepStrictEqual } from 'node:util'
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { Item, Write } from '../ports.ts'
import { type Attribute, valuesIn } from './attribute.ts'

/**
 * What a refusal tells of an earlier send of the same writes, whose answer was lost; undefined where it leaves that open.
 * `done`: all that they write on a condition is there just as they write it, and what they delete is gone. That does not
 * prove that it was this writer who did it: someone else may have written exactly the same, after which nothing differs.
 * `not_done`: versions just as these are all of someone else. A version is written once, but for an item that is deleted
 * and begins again: there another's first version may have followed ours. So one equal item suffices to leave it open.
 * A check tells neither: what it looked at may have gone on since. Of a transaction that was done this is never asked
 * within the minutes in which DynamoDB knows its ClientRequestToken: the next send is then answered as done, not refused.
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
  const areOfElse = others.every((put) => put.found!.version === put.written.version && !isOurs(put))
  return others.length > 0 && areOfElse ? 'not_done' : undefined
}

/** What a condition was refused on; without `found` where nothing was there. */
interface Refusal {
  readonly found?: Item
}

/** By write, its refusal; undefined where its condition held. */
function refusalsIn(error: unknown): (Refusal | undefined)[] {
  if (error instanceof ConditionalCheckFailedException) return [{ found: itemIn(error) }]
  if (!(error instanceof TransactionCanceledException)) return []
  return (error.CancellationReasons ?? []).map((reason) =>
    reason.Code === 'ConditionalCheckFailed' ? { found: itemIn(reason) } : undefined,
  )
}

/** Whether a deletion may have been done: then its condition is refused as nothing is there, if it asked for anything. */
function isDeleted(was: number | undefined, refusal: Refusal | undefined): boolean {
  if (!was) return !refusal
  return refusal !== undefined && !refusal.found
}

const itemIn = ({ Item: item }: { readonly Item?: object }): Item | undefined =>
  item && (valuesIn(item as Readonly<Record<string, Attribute>>) as Item)

/** As the table keeps it: without what is undefined. */
const plain = (item: Item): Item => JSON.parse(JSON.stringify(item))
