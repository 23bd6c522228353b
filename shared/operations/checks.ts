import type { Value } from '#shared/platform/ports.ts'
import type { Check } from './check.ts'
import { deliveryChecks } from './delivery-checks.ts'
import { eventChecks } from './event-checks.ts'
import { moneyChecks } from './money-checks.ts'
import type { Fact } from './spool.ts'

/**
 * Each record has exactly the list entries that its current state requires, and no list entry names a record that does
 * not exist.
 */
const listsAreExact: Check = {
  name: 'list entries match their records',
  violations({ id, of, record }) {
    const records: Fact[] = [record, ...(id.startsWith('evt_') ? of('delivery') : [])].filter((one) => one?.lists)
    const entries = of('entry')
    if (records.length === 0 && entries.length === 0) return undefined
    const expected = records.flatMap(({ lists }) => lists as readonly Value[])
    const found = entries.map(({ list }) => list)
    const missing = expected.filter((list) => !found.includes(list)).length
    const too_many = found.filter((list) => !expected.includes(list)).length
    return [
      ...(missing > 0 ? [`${id} lacks ${missing} of its list entries`] : []),
      ...(too_many > 0 ? [`${id} has ${too_many} list entries that do not match it`] : []),
    ]
  },
}

/** Each API key has a credential that ends when the key ends, and each credential belongs to an API key. */
const keysAreWhatTheySay: Check = {
  name: 'API keys have their credential',
  violations({ id, of }) {
    if (!id.startsWith('key ')) return undefined
    const [[key], [credential]] = [of('api_key'), of('credential')]
    if (!key) return ['a credential is valid without an API key']
    if (!credential) return [`${key.id} has no credential`]
    const dead_at = key.revoked_at === null ? null : Date.parse(key.revoked_at)
    return dead_at === credential.revoked_at ? [] : [`${key.id} and its credential expire at different times`]
  },
}

/**
 * The grace time for erasing the payment details of an expired secure token. Every due record has the same grace time:
 * one hour.
 */
const ERASED_WITHIN_MS = 3_600_000

/** The payment details of a secure token are erased when the token expires, and at once when 3-D Secure fails. */
const detailsAreErased: Check = {
  name: 'secure tokens hold no payment details after they expire',
  violations({ id, record: token, now }) {
    if (!id.startsWith('tok_') || !token) return undefined
    const is_late = Date.parse(token.expires_at) + ERASED_WITHIN_MS < now
    if (!token.holds || !(is_late || token.verification_status === 'ERRORED')) return []
    return [`${id} still holds payment details, although it can no longer be used`]
  },
}

/** All invariants, in the order in which `reconcile` reports them. */
export const checks: readonly Check[] = [
  ...eventChecks,
  ...deliveryChecks,
  ...moneyChecks,
  listsAreExact,
  keysAreWhatTheySay,
  detailsAreErased,
]
