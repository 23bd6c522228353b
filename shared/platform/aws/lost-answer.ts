import { isDeepStrictEqual } from 'node:util'
import { ConditionalCheckFailedException, TransactionCanceledException } from '@aws-sdk/client-dynamodb'
import type { Item, Write } from '../ports.ts'
import { type Attribute, valuesIn } from './attribute.ts'

/**
 * What a refusal tells of an earlier send of the same writes, whose answer was lost; undefined where it leaves that open.
 * A version of an item is written once: where all of them are there just as these writes make them, the earlier send was
 * done; where one is another's, it was not.
 */
export function earlierSend(error: unknown, writes: readonly Write[]): 'done' | 'not_done' | undefined {
  const found = foundBy(error)
  const puts = writes.flatMap((write, index) =>
    'put' in write && write.was !== undefined ? { written: plain(write.put), found: found[index] } : [],
  )
  if (puts.length > 0 && puts.every((put) => isDeepStrictEqual(put.found, put.written))) return 'done'
  const others = puts.filter((put) => put.found)
  const isOpen = others.length === 0 || others.some((put) => put.found!.version !== put.written.version)
  return isOpen || others.every((put) => isDeepStrictEqual(put.found, put.written)) ? undefined : 'not_done'
}

/** By write, the item that a condition was refused on. */
function foundBy(error: unknown): (Item | undefined)[] {
  if (error instanceof ConditionalCheckFailedException) return [itemIn(error)]
  if (error instanceof TransactionCanceledException) return (error.CancellationReasons ?? []).map(itemIn)
  return []
}

const itemIn = ({ Item: item }: { readonly Item?: object }): Item | undefined =>
  item && (valuesIn(item as Readonly<Record<string, Attribute>>) as Item)

/** As the table keeps it: without what is undefined. */
const plain = (item: Item): Item => JSON.parse(JSON.stringify(item))
