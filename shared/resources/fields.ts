import * as v from 'valibot'
import { currencies, isCurrency } from '#shared/domain/currency.ts'
import type { ErrorCode } from '#shared/domain/errors.ts'
import { localeOf } from '#shared/domain/locale.ts'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import { payment_types } from '#shared/domain/payment-details.ts'
import { locales } from '#shared/domain/session.ts'
import { momentOf } from '#shared/domain/timestamp.ts'
import { EMAIL } from '#shared/domain/typed-fields.ts'

/**
 * The faults that have their own code. Every other fault is `invalid_parameter`. A fault says what the parameter must
 * be, and the name of the parameter precedes it in the message for the merchant.
 */
export const faults = {
  invalid_currency: 'must be an active ISO 4217 currency code, such as JPY or USD',
  invalid_payment_type: `must be one of the payment types: ${payment_types.join(', ')}`,
  invalid_token: 'must be an object with a type, or the id of a token (tok_…)',
} as const satisfies Partial<Record<ErrorCode, string>>

/**
 * Text of `min` to `max` characters. A character outside the Basic Multilingual Plane counts as two, which bounds the
 * bytes as well.
 */
export function text(max: number, min = 1) {
  return v.pipe(
    v.custom<string>(
      (input) => typeof input === 'string' && input.length >= min && input.length <= max,
      `must be text of ${min} to ${max} characters`,
    ),
    v.metadata({ type: 'string', minLength: min, maxLength: max }),
  )
}

/** A whole number within bounds. It can also be sent as text: `"100"` or `"100.0"`. `unit` completes the message. */
export function integer(min: number, max: number, unit = '') {
  return v.pipe(
    v.unknown(),
    v.metadata({ type: 'integer', minimum: min, maximum: max }),
    v.transform((input) => (typeof input === 'string' && /^-?\d+(\.0+)?$/.test(input) ? Number(input) : input)),
    v.custom<number>(
      (value) => Number.isSafeInteger(value) && Number(value) >= min && Number(value) <= max,
      `must be an integer from ${min} to ${max}${unit}`,
    ),
    // Adding 0 turns minus zero into zero.
    v.transform((value) => value + 0),
  )
}

const as_text: ReadonlyMap<unknown, boolean> = new Map([
  ...['true', 'True', '1'].map((text) => [text, true] as const),
  ...['false', 'False', '0'].map((text) => [text, false] as const),
])

/** True or false, also as the text that form encoders of different languages send. */
export const boolean = v.pipe(
  v.unknown(),
  v.transform((input) => as_text.get(input) ?? input),
  v.boolean('must be true or false'),
)

/** Follows the bounds of an amount in its message. */
const SMALLEST_UNIT = ' in the smallest unit of the currency (10.50 USD is sent in cents: 1050; 1000 JPY as 1000)'

/** An amount that a merchant charges or refunds, in the currency's smallest unit. */
export const amount = integer(1, AMOUNT_MAX, SMALLEST_UNIT)

const some_tax = integer(0, AMOUNT_MAX, `${SMALLEST_UNIT}, or auto`)
const auto_tax = v.literal('auto')

/**
 * One of several schemas, which `choose` selects by the value. Only the API description reads `options`, the list of
 * these schemas.
 */
export function chosenOf<const Options extends readonly v.GenericSchema[]>(
  options: Options,
  choose: (input: unknown) => Options[number],
) {
  return Object.assign(v.lazy(choose), { options })
}

/** Tax in the currency's smallest unit, or `auto`: a tenth of the amount. */
export const tax = chosenOf([some_tax, auto_tax], (input) => (input === 'auto' ? auto_tax : some_tax))

/** The code of an active ISO 4217 currency, in capitals. It can also be sent in small letters: `jpy`. */
export const currency = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === 'string' && /^[a-z]{3}$/i.test(input) ? input.toUpperCase() : input)),
  v.custom<string>((input) => typeof input === 'string' && isCurrency(input), faults.invalid_currency),
  v.metadata({ type: 'string', enum: currencies }),
)

const EMAIL_LENGTH_MAX = 254

/** An e-mail address whose domain contains a dot. */
export const email = v.pipe(
  v.custom<string>(
    (input) => typeof input === 'string' && input.length <= EMAIL_LENGTH_MAX && EMAIL.test(input),
    'must be an e-mail address',
  ),
  v.metadata({ type: 'string', format: 'email', maxLength: EMAIL_LENGTH_MAX, pattern: EMAIL.source }),
)

const URL_LENGTH_MAX = 2_048

/** An absolute http or https URL. The limit applies to its length as sent and to its percent-encoded length. */
export const url = v.pipe(
  v.custom<string>(
    (input) =>
      typeof input === 'string' &&
      input.length <= URL_LENGTH_MAX &&
      /^https?:\/\/[^\s\p{Cc}]+$/iu.test(input) &&
      URL.canParse(input) &&
      new URL(input).href.length <= URL_LENGTH_MAX,
    `must be an http or https URL of at most ${URL_LENGTH_MAX} characters`,
  ),
  v.metadata({ type: 'string', format: 'uri', maxLength: URL_LENGTH_MAX, pattern: '^https?://[^ ]+$' }),
)

/**
 * A time as ISO 8601 text, parsed to epoch milliseconds. Times before 1970 become 1970. A date is its midnight in UTC,
 * and a time without offset is UTC. A query string turns `+` into a space, so a space before the offset is read as `+`.
 */
export const moment = v.pipe(
  v.unknown(),
  v.metadata({ type: 'string', format: 'date-time' }),
  v.transform((input) => (isShortText(input) ? momentOf(withOffset(input)) : Number.NaN)),
  v.custom<number>((at) => !Number.isNaN(at), 'must be an ISO 8601 time, such as 2030-01-31T12:00:00Z'),
  v.transform((at) => Math.max(0, at)),
)

/**
 * The maximum length of a time as text. Every valid time is shorter. Without this limit, the search for the offset in a
 * megabyte of text would take minutes.
 */
const MOMENT_LENGTH_MAX = 64

const isShortText = (input: unknown): input is string => typeof input === 'string' && input.length <= MOMENT_LENGTH_MAX

function withOffset(given: string): string {
  const text = given.replace(/^(\d{4}-\d\d-\d\d) (?=\d\d:)/, '$1T')
  if (/^\d{4}-\d\d-\d\d$/.test(text)) return `${text}T00:00:00Z`
  if (/T[\d:.]+$/.test(text)) return `${text}Z`
  return text.replace(/(?<=T.*) (?=\d\d:?\d\d$)/, '+')
}

/** One of the given words. */
export function oneOf<const Word extends string>(words: readonly Word[]) {
  return v.picklist(words, `must be one of ${words.join(', ')}`)
}

/** A language of the pages. It can also be sent with a region: `en-US`, `en_US`. */
export const locale = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === 'string' ? (localeOf(input) ?? input) : input)),
  oneOf(locales),
)

/** Returns a pattern that matches a comma-separated list of the given words, which consist of letters, `_` and dots. */
function listOf(words: readonly string[]): string {
  const word = `(${words.join('|').replaceAll('.', '\\.')})`
  return `^${word}(,${word})*$`
}

/** One of the given words, or several separated by commas. */
export function someOf<const Word extends string>(words: readonly Word[]) {
  const fault = `must be one of, or a comma list of, ${words.join(', ')}`
  return v.pipe(
    v.unknown(),
    v.transform((input) => (Array.isArray(input) ? input.join() : input)),
    v.string(fault),
    v.metadata({ pattern: listOf(words) }),
    v.transform((input) => [...new Set(input.split(',').map((word) => word.trim()))]),
    v.custom<Word[]>((input) => (input as string[]).every((word) => words.includes(word as Word)), fault),
  )
}

const isBlank = (input: unknown) => input === null || input === ''

/** States in the API description that null is accepted, where no schema of a pipe accepts null itself. */
const accepts_null = v.metadata({ nullable: true })

function nullIfBlank<Schema extends v.GenericSchema>(schema: Schema) {
  return v.pipe(
    v.unknown(),
    v.transform((input) => (isBlank(input) ? null : input)),
    v.nullable(schema),
  )
}

/** A field that can be absent. Null and empty text count as absent: undefined. */
export function optional<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(
    v.pipe(
      v.unknown(),
      accepts_null,
      v.transform((input) => (isBlank(input) ? undefined : input)),
      v.optional(schema),
    ),
  )
}

/** A field that can be absent. Absent, null and empty text become null, the value that is stored. */
export function orNull<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(nullIfBlank(schema), null)
}

/** A field with a default for an absent value, null and empty text. */
export function withDefault<Schema extends v.GenericSchema, const Default>(schema: Schema, fallback: Default) {
  return v.pipe(
    orNull(schema),
    v.metadata({ default: fallback }),
    v.transform((value) => value ?? fallback),
  )
}

/** A nullable field of a PATCH. An absent field stays unchanged (undefined). Null or empty text clears it (null). */
export function clearable<Schema extends v.GenericSchema>(schema: Schema) {
  return v.optional(nullIfBlank(schema))
}
