import { timeLetters } from '#shared/domain/ids.ts'
import type { Movement } from '#shared/domain/settlement.ts'
import type { Item, Range } from '#shared/platform/ports.ts'
import { movementsPk } from './keys.ts'

/** The row that keeps a movement, at the time it was written; epoch milliseconds. */
export const movementItem = (merchant: string, movement: Movement, now: number): Item => ({
  pk: movementsPk(merchant),
  sk: `${timeLetters(now)}#${movement.of}`,
  version: 1,
  ...movement,
})

/** The movements of a stretch of time: `from` belongs to it, `to` does not. */
export const movementsBetween = (merchant: string, from: number, to: number): Range => ({
  pk: movementsPk(merchant),
  from: timeLetters(from),
  to: timeLetters(to),
})
