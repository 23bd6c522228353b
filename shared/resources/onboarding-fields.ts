import * as v from 'valibot'
import { timestamp } from '#shared/domain/timestamp.ts'
import { boolean, currency, email, oneOf, text, url } from './fields.ts'

/** What is kept of a field: text, a boolean, or a list of ids. Whole numbers are kept as their digits. */
export type Kept = string | boolean | readonly string[] | null

/** What one kind of field takes, keeps and shows. */
export interface Field {
  /** From what was sent to what is kept. */
  readonly takes: v.GenericSchema<unknown, Kept>
  /** Whether empty text is a text; otherwise it unsets the field, as null does. */
  readonly keeps_empty?: boolean
  /** What is shown where nothing is kept; absent: null. */
  readonly unset?: null | '' | readonly []
  /** What is shown of what is kept; absent: the same. */
  shows?(kept: Kept): unknown
  /** Taken, and never shown. */
  readonly input_only?: boolean
  /** Holds ids of files, which must be the merchant's own. */
  readonly files?: boolean
}

const custom = (fits: (input: string) => boolean, fault: string) =>
  v.custom<string>((input) => typeof input === 'string' && fits(input), fault)

const taking = (takes: v.GenericSchema<unknown, Kept>, fields: Omit<Field, 'takes'> = {}): Field => ({
  takes,
  ...fields,
})

const free = (max: number): Field => taking(text(max, 0), { keeps_empty: true })

/** Free text; empty text is kept. */
export const text_255 = free(255)
export const text_64 = free(64)
export const text_2000 = free(2_000)

/** The reading of a name or address; empty text is null. */
export const kana = taking(text(255))

export const web_address = taking(url)
export const email_address = taking(email)
export const currency_code = taking(currency)
export const country = taking(
  custom((input) => /^[A-Z]{2}$/.test(input), 'must be a country code of two letters, such as JP'),
)
export const flag = taking(boolean)
export const one_of = (...words: string[]): Field => taking(oneOf(words))

/** A day of the calendar. */
export const date = taking(custom(isDay, 'must be a date, such as 2030-01-31'))

function isDay(input: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(input)) return false
  const at = Date.parse(`${input}T00:00:00Z`)
  // Date.parse takes 31 February for 2 March.
  return !Number.isNaN(at) && timestamp(at).startsWith(input)
}

/** A time of day. */
export const time = taking(
  custom((input) => /^([01]\d|2[0-3]):[0-5]\d$/.test(input), 'must be a time of day, such as 09:30'),
)

const INTEGER_MAX = 2n ** 63n - 1n

const digits = v.pipe(
  v.unknown(),
  v.transform((input) => (Number.isSafeInteger(input) || typeof input === 'bigint' ? String(input) : input)),
  v.custom<string>(
    (input) => typeof input === 'string' && /^\d{1,40}(\.0+)?$/.test(input) && BigInt(whole(input)) <= INTEGER_MAX,
    `must be an integer from 0 to ${INTEGER_MAX}`,
  ),
  v.transform((input) => String(BigInt(whole(input)))),
)

const whole = (input: string): string => input.split('.')[0]!

const { rawJSON } = JSON as unknown as { rawJSON(text: string): object }

/** A whole number of up to 64 bits, every digit of which is kept. */
export const integer_64 = taking(digits, { shows: (kept) => rawJSON(kept as string) })

/** A whole number that is shown as text. */
export const integer_as_text = taking(digits)

const file_id = custom((input) => /^[a-z]{3}_[0-9a-z]{1,60}$/.test(input), 'must be the id of a file')

/** The id of a file, which is not shown again. */
export const private_file = taking(file_id, { input_only: true, files: true })

const FILES_MAX = 20

/** Ids of files; one may stand alone, and empty ones, as forms send them, are none. */
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

/** A field of the bank account: empty text where it is unset. */
export const of_bank = ({ ...field }: Field): Field => ({ ...field, unset: '' })
