import { createHash } from 'node:crypto'
import { letters, prefixes } from '#shared/domain/ids.ts'

/** The fields whose values are digits that depend on the random id of a payment. */
const digit_fields: ReadonlySet<string> = new Set([
  'confirmation_code',
  'receipt',
  'customer_id',
  'confirmation_id',
  'order_id',
  'account_number',
])

/** The fields whose values are numbers that derive from a random id. */
const number_fields: ReadonlySet<string> = new Set(['id', 'merchant_id'])

/** How long the receiver of a recording takes for a webhook. */
const LATENCY_MS = 87

const ALPHABET = '[0-9a-hjkmnp-tv-z]'
const id_prefixes = [...new Set(Object.values(prefixes)), 'sk_test_', 'pk_test_'].join('|')

/** The random values in texts: ids and keys, each with a part that is not random, and UUIDs. */
const random = new RegExp(
  `\\b(${id_prefixes})((?:${ALPHABET}{26}|${ALPHABET}{16,})[0-9A-Za-z_.-]*)|\\b[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\\b`,
  'g',
)

/**
 * Returns a recording in which each random value is replaced by a fixed one of the same form, the same one wherever the
 * value occurs. The replacement depends only on the order of the values. `origins` are replaced by their values.
 */
export function stableValues<T>(recording: T, origins: Readonly<Record<string, string>>): T {
  const known = new Map<string, Map<string, string>>()
  const stable = (kind: string, value: string, form: (seed: Buffer) => string) => {
    const of_kind = known.get(kind) ?? new Map<string, string>()
    known.set(kind, of_kind)
    const found = of_kind.get(value) ?? form(hash(`${kind}${of_kind.size}`))
    of_kind.set(value, found)
    return found
  }
  const stableText = (text: string) =>
    Object.entries(origins)
      .reduce((current, [from, to]) => current.replaceAll(from, to), text)
      .replaceAll(random, (value, prefix?: string, rest?: string) =>
        stable(prefix ?? 'uuid', value, (seed) => (prefix ? stableId(prefix, rest!, seed) : stableUuid(seed))),
      )
  const visit = (value: unknown, name: string, is_request = false): unknown => {
    if (name === 'latency_ms' && typeof value === 'number') return LATENCY_MS
    if (number_fields.has(name) && typeof value === 'number')
      return Number(stable('number', String(value), (seed) => String(10_000_000_000_000 + seed.readUInt32BE())))
    if (Array.isArray(value)) return value.map((inner) => visit(inner, '', is_request))
    if (value && typeof value === 'object')
      return Object.fromEntries(
        Object.entries(value).map(([key, inner]) => [key, visit(inner, key, is_request || key === 'request')]),
      )
    if (typeof value !== 'string') return value
    // The digits of a request are those of the scenario, and its response masks some of them.
    if (!is_request && digit_fields.has(name) && /^\d+$/.test(value))
      return stable(name, value, (seed) => Array.from(seed.subarray(0, value.length), (byte) => byte % 10).join(''))
    return stableText(value)
  }
  return visit(recording, '') as T
}

const hash = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The characters of an id that hold its time. They are not random, because the clock of a recording is frozen. */
const TIME_LETTERS = 10

const stableId = (prefix: string, rest: string, seed: Buffer): string => {
  const kept = prefix.endsWith('test_') ? 0 : TIME_LETTERS
  const entropy = Buffer.concat([seed, hash(seed.toString('hex')), hash(`${seed.toString('hex')}2`)])
  return prefix + rest.slice(0, kept) + letters(entropy).slice(0, rest.length - kept)
}

function stableUuid(seed: Buffer): string {
  const hex = seed.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
