import type { Item, Key, Range, Write } from '#shared/platform/ports.ts'

const GET_KEYS_MAX = 100
const TRANSACTION_WRITES_MAX = 100
const TRANSACTION_BYTES_MAX = 4 * 1024 * 1024
const PK_BYTES_MAX = 2048
const SK_BYTES_MAX = 1024

/*
 * These checks reject what DynamoDB rejects, so code that works on one machine also works on AWS. Each violation is a
 * defect of ours, so the checks throw plain errors.
 */

/** Throws unless there are 1 to 100 different keys, with a `pk` of 1 to 2,048 bytes and an `sk` of 1 to 1,024 bytes. */
export function checkGet(keys: readonly Key[]): void {
  checkKeys(keys, GET_KEYS_MAX)
}

/**
 * Throws unless there are 1 to 100 writes to different items, and at most 4 MB in all. `bytes` is the total size of the
 * items that are put.
 */
export function checkTransaction(writes: readonly Write[], bytes: number): void {
  checkKeys(writes.map(keyOf), TRANSACTION_WRITES_MAX)
  if (bytes > TRANSACTION_BYTES_MAX)
    throw new Error(`a transaction of ${bytes} bytes is above ${TRANSACTION_BYTES_MAX}`)
  for (const write of writes) if ('put' in write) checkItem(write.put)
}

/** Throws for a range with an empty or too long key, a limit below 1, or a page that begins outside of the range. */
export function checkRange({ pk, from, to, after, limit = 1 }: Range): void {
  checkText('pk', pk, PK_BYTES_MAX)
  for (const sk of [from, to, after]) if (sk !== undefined) checkText('sk', sk, SK_BYTES_MAX)
  if (!(limit >= 1)) throw new Error(`a limit of ${limit} is below 1`)
  const outside = after !== undefined && ((from && compare(after, from) < 0) || (to && compare(after, to) > 0))
  if (outside) throw new Error(`the page after ${after} begins outside of its range`)
}

/** Returns the key of the item that a write puts, deletes or checks. */
export function keyOf(write: Write): Key {
  if ('put' in write) return write.put
  return 'delete' in write ? write.delete : write.check
}

function checkKeys(keys: readonly Key[], max: number): void {
  if (keys.length < 1 || keys.length > max) throw new Error(`${keys.length} items in a call that takes 1 to ${max}`)
  const seen = new Set<string>()
  for (const { pk, sk } of keys) {
    checkText('pk', pk, PK_BYTES_MAX)
    checkText('sk', sk, SK_BYTES_MAX)
    seen.add(`${pk.length} ${pk}${sk}`)
  }
  if (seen.size < keys.length) throw new Error('a call contains an item twice')
}

function checkItem({ version, due_shard, due_at }: Item): void {
  // In a write, the version 0 means that the item does not exist.
  if (!Number.isInteger(version) || version < 1) throw new Error(`an item cannot have version ${version}`)
  if (due_shard !== undefined) checkText('due_shard', due_shard, PK_BYTES_MAX)
  if (due_at !== undefined) checkText('due_at', due_at, SK_BYTES_MAX)
}

function checkText(name: string, text: string, bytes_max: number): void {
  if (typeof text !== 'string' || text === '' || Buffer.byteLength(text) > bytes_max)
    throw new Error(`${name} must be a text of 1 to ${bytes_max} bytes`)
}

const compare = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other))
