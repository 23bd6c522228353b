import { timeLetters } from '#shared/domain/ids.ts'
import type { Key } from '#shared/platform/ports.ts'
import { HEAD_PREFIX, LANE_PREFIX } from '#shared/store/list-keys.ts'
import { hashOf, mixed, type Position } from '#test/partitions/key-position.ts'
import type { RecordedCall, Round } from './call-recorder.ts'
import type { Sample } from './work-samples.ts'

/** An item collection that the work of several payments uses, and the write units that it has consumed. */
export interface Collection {
  readonly pk: string
  write_units: number
}

/** One item of a call. Items that belong to one payment get keys of their own in each replay. */
export interface ItemTemplate {
  readonly hash: number
  readonly sk: string
  /** Where the sort key contains a time; -1 if it contains none. */
  readonly time_at: number
  readonly units: number
  /** The item collection; undefined if it belongs to one payment. */
  readonly collection: Collection | undefined
  /** The name of the item; undefined if it belongs to one payment. */
  readonly shared: string | undefined
  readonly is_checked: boolean
}

export interface CallTemplate {
  readonly operation: RecordedCall['operation']
  readonly is_transaction: boolean
  readonly items: readonly ItemTemplate[]
  readonly index: readonly ItemTemplate[]
}

export interface RoundTemplate {
  readonly calls: readonly CallTemplate[]
  readonly elsewhere_ms: number
}

export type Rounds = readonly RoundTemplate[]

/** The work of one payment, to be replayed for other payments. */
export interface Template {
  readonly payment: Rounds
  readonly fan_outs: readonly { readonly rounds: Rounds; readonly deliveries: number }[]
  readonly deliveries: readonly Rounds[]
}

/** A replay: the number of its payment, and the letters of its time in ids. */
export interface Replayed {
  readonly number: number
  readonly letters: string
}

/** The letters of a time in virtual milliseconds. */
export const lettersAt = (milliseconds: number): string => timeLetters(Math.floor(milliseconds))

/** The place of an item in a replay. */
export function positionIn({ number, letters }: Replayed, item: ItemTemplate): Position {
  const { hash, sk, time_at } = item
  if (!item.collection) return { hash: mixed(hash + Math.imul(number, 0x9e3779b1)), sk: '' }
  return { hash, sk: time_at < 0 ? sk : sk.slice(0, time_at) + letters + number }
}

/**
 * Makes templates from samples. What occurs in the work of only one sample belongs to its payment. So keys that are
 * derived from ids, such as the shards of a list, keep the distribution that they have over the samples.
 */
export function templatesOf(samples: readonly Sample[]): { templates: Template[]; collections: Collection[] } {
  const [pks, names] = [new Occurrences(), new Occurrences()]
  for (const [number, sample] of samples.entries())
    for (const key of keysOf(sample)) {
      pks.add(key.pk, number)
      names.add(nameOf(key), number)
    }
  const collections = new Map<string, Collection>()
  const collectionOf = (pk: string): Collection | undefined => {
    if (!pks.isShared(pk)) return undefined
    const collection = collections.get(pk) ?? { pk, write_units: 0 }
    collections.set(pk, collection)
    return collection
  }
  const itemsOf = (items: RecordedCall['items'], checked: readonly Key[]): ItemTemplate[] =>
    items.map(({ key, units }) => ({
      ...{ hash: hashOf(key.pk), sk: key.sk, time_at: key.sk.search(TIME), units },
      collection: collectionOf(key.pk),
      // The samples ran in one process. Replays run in processes of their own, each with its own lanes.
      shared: names.isShared(nameOf(key)) && !isLane(key) ? nameOf(key) : undefined,
      is_checked: checked.some((one) => nameOf(one) === nameOf(key)),
    }))
  const roundsOf = (rounds: readonly Round[]): Rounds =>
    rounds.map(({ calls, elsewhere_ms }) => ({
      elsewhere_ms,
      calls: calls.map(({ operation, is_transaction, items, index, checked }) => ({
        ...{ operation, is_transaction },
        items: itemsOf(items, checked),
        index: itemsOf(index, []),
      })),
    }))
  const templates = samples.map(({ payment, fan_outs, deliveries }) => ({
    payment: roundsOf(payment),
    fan_outs: fan_outs.map(({ rounds, deliveries: count }) => ({ rounds: roundsOf(rounds), deliveries: count })),
    deliveries: deliveries.map(roundsOf),
  }))
  return { templates, collections: [...collections.values()] }
}

/** The write units that each item collection needs for a payment and all of its deliveries, on average. */
export function neededUnits(templates: readonly Template[]): Map<Collection, number> {
  const needed = new Map<Collection, number>()
  const add = (rounds: Rounds, times: number) => {
    for (const { collection, units } of writtenItems(rounds))
      if (collection) needed.set(collection, (needed.get(collection) ?? 0) + (units * times) / templates.length)
  }
  for (const { payment, fan_outs, deliveries } of templates) {
    add(payment, 1)
    for (const { rounds } of fan_outs) add(rounds, 1)
    const made = fan_outs.reduce((sum, fan_out) => sum + fan_out.deliveries, 0)
    for (const rounds of deliveries) add(rounds, made / deliveries.length)
  }
  return needed
}

/** The write units of a work. */
export const writeUnitsOf = (rounds: Rounds): number => writtenItems(rounds).reduce((sum, { units }) => sum + units, 0)

const writtenItems = (rounds: Rounds): readonly ItemTemplate[] =>
  rounds
    .flatMap(({ calls }) => calls)
    .filter(({ operation }) => operation === 'write')
    .flatMap(({ items }) => items)

/** The ten letters of a time, at the beginning of a sort key or behind the prefix of an id. */
const TIME = /(?<=^|_)[0-9a-z]{10}/

const isLane = ({ sk }: Key): boolean => sk.startsWith(LANE_PREFIX) && !sk.startsWith(HEAD_PREFIX)

const nameOf = ({ pk, sk }: Key): string => `${pk}|${sk}`

function keysOf({ payment, fan_outs, deliveries }: Sample): Key[] {
  const rounds = [...payment, ...fan_outs.flatMap((fan_out) => fan_out.rounds), ...deliveries.flat()]
  return rounds
    .flatMap(({ calls }) => calls)
    .flatMap(({ items, index }) => [...items, ...index])
    .map(({ key }) => key)
}

/** Which texts occur in more than one sample. */
class Occurrences {
  readonly #first = new Map<string, number>()
  readonly #shared = new Set<string>()

  add(text: string, sample: number): void {
    const first = this.#first.get(text) ?? sample
    this.#first.set(text, first)
    if (first !== sample) this.#shared.add(text)
  }

  isShared(text: string): boolean {
    return this.#shared.has(text)
  }
}
