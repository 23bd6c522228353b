import type { Key } from '#shared/platform/ports.ts'

/**
 * The place of an item in the key space: by the hash of its partition key, and within an item collection by its sort
 * key. A partition holds a range of places.
 */
export interface Position {
  /** From 0 to 2^32 - 1. */
  readonly hash: number
  readonly sk: string
}

/** The number of hashes. */
export const HASHES = 2 ** 32

export const FIRST: Position = { hash: 0, sk: '' }

export const positionOf = ({ pk, sk }: Key): Position => ({ hash: hashOf(pk), sk })

/** Whether one place is before another. */
export const isBefore = (one: Position, other: Position): boolean =>
  one.hash < other.hash || (one.hash === other.hash && one.sk < other.sk)

/** The place before the first item of the item collection, and the place behind its last item. */
export const collectionAround = ({ hash }: Position): [Position, Position] => [
  { hash, sk: '' },
  { hash: hash + 1, sk: '' },
]

/** A hash of a text that is even over all texts: FNV-1a with the final mix of MurmurHash 3. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
  return mixed(hash)
}

/** Spreads a number over all hashes. */
export function mixed(number: number): number {
  let hash = number | 0
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return (hash ^ (hash >>> 16)) >>> 0
}
