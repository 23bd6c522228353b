import * as v from 'valibot'
import { timestamp } from '#shared/domain/timestamp.ts'
import { boolean, currency, email, oneOf, text, url } from './fields.ts'

/**
 * The stored value of a field: text, a boolean, or a list of ids. Whole numbers are stored as their digits. Null unsets
 * the field.
 */
export type StoredValue = string | boolean | readonly string[] | null

/** The values that a kind of field accepts, stores and shows. */
export interface Field {
  /** What the field means, for the API description. */
  readonly description: string
  /** Converts the sent value to the stored value. */
  readonly takes: v.GenericSchema<unknown, StoredValue>
  /** Whether empty text is a value. Otherwise it unsets the field, as null does. */
  readonly keeps_empty?: boolean
  /** The value that is shown for an unset field. Absent: null. */
  readonly unset?: null | '' | readonly []
  /** Returns the value that is shown for a stored value. Absent: the stored value itself. */
  shows?(stored: StoredValue): unknown
  /** Whether the field is accepted but never shown. */
  readonly input_only?: boolean
  /** Whether the field holds ids of files, which must belong to the merchant. */
  readonly files?: boolean
}

/** Text that `fits` accepts. The API description states `limits` of JSON Schema. */
const custom = (fits: (input: string) => boolean, fault: string, limits: { pattern: string } | { format: string }) =>
  v.pipe(
    v.custom<string>((input) => typeof input === 'string' && fits(input), fault),
    v.metadata({ type: 'string', ...limits }),
  )

const matching = (pattern: RegExp, fault: string) =>
  custom((input) => pattern.test(input), fault, { pattern: pattern.source })

/** Builds a field of a kind from its description. */
type FieldOf = (description: string) => Field

const taking =
  (takes: v.GenericSchema<unknown, StoredValue>, fields: Omit<Field, 'takes' | 'description'> = {}): FieldOf =>
  (description) => ({ takes, description, ...fields })

const free = (max: number) => taking(text(max, 0), { keeps_empty: true })

/** Free text. Empty text is stored. */
export const text_255 = free(255)
export const text_64 = free(64)
export const text_2000 = free(2_000)

/** The phonetic reading of a name or address. Empty text becomes null. */
export const kana = taking(v.pipe(text(255), v.metadata({ minLength: 0 })))

export const web_address = taking(url)
export const email_address = taking(email)
export const currency_code = taking(currency)
export const country = taking(matching(/^[A-Z]{2}$/, 'must be a country code of two letters, such as JP'))
export const one_of = (...words: string[]) => taking(oneOf(words))

/** True or false, which the API reference shows as text. */
export const flag = taking(
  v.pipe(boolean, v.metadata({ type: ['boolean', 'string'], enum: [true, false, 'true', 'false'] })),
)

/** A calendar date. */
export const date = taking(custom(isDay, 'must be a date, such as 2030-01-31', { format: 'date' }))

function isDay(input: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(input)) return false
  const at = Date.parse(`${input}T00:00:00Z`)
  // `Date.parse` turns 31 February into a day in March.
  return !Number.isNaN(at) && timestamp(at).startsWith(input)
}

/** A time of day. */
export const time = taking(matching(/^([01][0-9]|2[0-3]):[0-5][0-9]$/, 'must be a time of day, such as 09:30'))

const INTEGER_MAX = 2n ** 63n - 1n

const digits = v.pipe(
  v.unknown(),
  // Larger numbers are sent as text, because a client may round them in JSON.
  v.metadata({
    type: ['integer', 'string'],
    minimum: 0,
    maximum: Number.MAX_SAFE_INTEGER,
    pattern: '^[0-9]{1,18}$',
  }),
  v.transform((input) => (Number.isSafeInteger(input) || typeof input === 'bigint' ? String(input) : input)),
  v.custom<string>(
    (input) => typeof input === 'string' && /^\d{1,40}(\.0+)?$/.test(input) && BigInt(whole(input)) <= INTEGER_MAX,
    `must be an integer from 0 to ${INTEGER_MAX}`,
  ),
  v.transform((input) => String(BigInt(whole(input)))),
)

const whole = (input: string): string => input.split('.')[0]!

declare global {
  interface JSON {
    /** A number that `JSON.stringify` writes with these digits. TypeScript's library does not declare it yet. */
    rawJSON(text: string): object
  }
}

/** A whole number from 0 to 2^63 − 1. All of its digits are stored and shown. */
export const integer_64 = taking(digits, { shows: (stored) => JSON.rawJSON(stored as string) })

/** A whole number that is shown as text. */
export const integer_as_text = taking(digits)

const file_id = matching(/^[a-z]{3}_[0-9a-z]{1,60}$/, 'must be the id of a file')

/** The id of a file. It is not shown again. */
export const private_file = taking(file_id, { input_only: true, files: true })

const FILES_MAX = 20

/** Ids of at most 20 files. A single id can be sent without an array. Empty ids, which forms send, are ignored. */
export const file_list = taking(
  v.pipe(
    v.unknown(),
    v.transform((input) => (typeof input === 'string' ? [input] : input)),
    v.array(v.union([v.literal(''), file_id], 'must be the id of a file'), 'must be an array'),
    v.transform((ids) => ids.filter((id) => id !== '')),
    v.maxLength(FILES_MAX, `must have at most ${FILES_MAX} entries`),
  ),
  { unset: [], files: true },
)

/** A field of the bank account. It is shown as empty text while it is unset. */
export const of_bank =
  (kind: FieldOf): FieldOf =>
  (description) => ({ ...kind(description), unset: '' })
