import type { Key, Value } from '#shared/platform/ports.ts'
import { deliveryChecks } from './delivery-checks.ts'
import { eventChecks } from './event-checks.ts'
import { moneyChecks } from './money-checks.ts'
import type { Fact, Group } from './spool.ts'

/** A group with its facts by kind. */
export interface Case extends Group {
  /** The facts of a kind; fields are read as whoever wrote them left them. */
  // biome-ignore lint/suspicious/noExplicitAny: each kind of fact has its own fields, named where it is made
  of(kind: string): any[]
  /** The record that the group is named after. */
  // biome-ignore lint/suspicious/noExplicitAny: as above
  readonly record: any
  /** The webhooks of the same merchant. */
  readonly webhooks: readonly Fact[]
  /** Epoch milliseconds. */
  readonly now: number
}

/** Something that is not as it must be, by ids alone. It is as it must be after all where an item stands at `unless`. */
export type Violation = string | { readonly text: string; readonly unless: Key }

/** Something that holds of every group, whatever happens to the service. */
export interface Check {
  readonly name: string
  /** What is wrong, one sentence each; undefined for a group that the check has nothing to say of. */
  violations(found: Case): readonly Violation[] | undefined
}

/** A group to be checked. */
export function caseOf(group: Group, webhooks: readonly Fact[], now: number): Case {
  const by_kind = Map.groupBy(group.facts, ({ kind }) => kind)
  const of = (kind: string) => by_kind.get(kind) ?? []
  return { ...group, webhooks, now, of, record: of(kind_of_id[group.id.slice(0, 4)] ?? '')[0] }
}

/** A record stands in its lists as what it is, and no list names what is not there. */
const listsAreExact: Check = {
  name: 'list entries are those of their records',
  violations({ id, of, record }) {
    const records: Fact[] = [record, ...(id.startsWith('evt_') ? of('delivery') : [])].filter((one) => one?.lists)
    const entries = of('entry')
    if (records.length === 0 && entries.length === 0) return undefined
    const expected = records.flatMap(({ lists }) => lists as readonly Value[])
    const found = entries.map(({ list }) => list)
    const missing = expected.filter((list) => !found.includes(list)).length
    const too_many = found.filter((list) => !expected.includes(list)).length
    return [
      ...(missing > 0 ? [`${id} is missing in ${missing} lists as what it is`] : []),
      ...(too_many > 0 ? [`${id} stands in ${too_many} lists as what it is not`] : []),
    ]
  },
}

const kind_of_id: Readonly<Record<string, string>> = {
  pay_: 'payment',
  sub_: 'subscription',
  ses_: 'session',
  cus_: 'customer',
  stl_: 'settlement',
  whk_: 'webhook',
  evt_: 'event',
  tok_: 'secure_token',
}

/** A key opens the door exactly as long as its record says. */
const keysAreWhatTheySay: Check = {
  name: 'API keys have their credential',
  violations({ id, of }) {
    if (!id.startsWith('key ')) return undefined
    const [[key], [credential]] = [of('api_key'), of('credential')]
    if (!key) return ['a credential opens the door, and no API key has it']
    if (!credential) return [`${key.id} opens no door`]
    const dead_at = key.revoked_at === null ? null : Date.parse(key.revoked_at)
    return dead_at === credential.revoked_at ? [] : [`${key.id} ends at another time than its credential`]
  },
}

/** How late a secure token's details may be erased before somebody must look, as with all that falls due. */
const ERASED_WITHIN_MS = 3_600_000

/** The payment details of a secure token are erased when its hour ends, and at once when 3-D Secure fails. */
const detailsAreErased: Check = {
  name: 'secure tokens hold no payment details after their hour',
  violations({ id, record: token, now }) {
    if (!id.startsWith('tok_') || !token) return undefined
    const is_late = Date.parse(token.expires_at) + ERASED_WITHIN_MS < now
    if (!token.holds || !(is_late || token.verification_status === 'ERRORED')) return []
    return [`${id} still holds payment details, and cannot be used any more`]
  },
}

/** What has to hold, in the order in which it is told of. */
export const checks: readonly Check[] = [
  ...eventChecks,
  ...deliveryChecks,
  ...moneyChecks,
  listsAreExact,
  keysAreWhatTheySay,
  detailsAreErased,
]
