import { timeLetters } from '#shared/domain/ids.ts'
import type { Movement } from '#shared/domain/movement.ts'
import type { Item, Range } from '#shared/platform/ports.ts'
import { movementsPk } from './keys.ts'

/** The item that stores a money movement at `now`, the time of writing in epoch milliseconds. */
export const movementItem = (merchant: string, movement: Movement, now: number): Item => ({
  pk: movementsPk(merchant),
  sk: `${timeLetters(now)}#${movement.of}`,
  version: 1,
  ...movement,
})

/**
 * The range of a merchant's movements in a time span, in epoch milliseconds: `from` is inclusive, `to` is exclusive.
 */
export const movementsBetween = (merchant: string, from: number, to: number): Range => ({
  pk: movementsPk(merchant),
  from: timeLetters(from),
  to: timeLetters(to),
})
