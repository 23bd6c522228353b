import * as v from 'valibot'
import type { Metadata } from '#shared/domain/payment.ts'
import { clearable, withDefault } from './fields.ts'

const KEYS_MAX = 50
const KEY_LENGTH_MAX = 40
const VALUE_LENGTH_MAX = 2_000

const isObject = (input: unknown) => typeof input === 'object' && input !== null && !Array.isArray(input)

const isKey = (key: string) => key.length >= 1 && key.length <= KEY_LENGTH_MAX

const isValue = (value: unknown) =>
  typeof value === 'string' ? value.length <= VALUE_LENGTH_MAX : typeof value === 'boolean' || isExact(value)

/**
 * Whether a number is exact. A larger whole number loses digits when it is parsed, so the merchant would get another
 * number back.
 */
const isExact = (value: unknown) => Number.isFinite(value) && (Number.isSafeInteger(value) || !Number.isInteger(value))

const entries = v.pipe(
  v.custom<Metadata>(isObject, 'must be an object'),
  v.metadata({
    type: 'object',
    maxProperties: KEYS_MAX,
    propertyNames: { minLength: 1, maxLength: KEY_LENGTH_MAX },
    additionalProperties: {
      type: ['string', 'number', 'boolean'],
      maxLength: VALUE_LENGTH_MAX,
      minimum: Number.MIN_SAFE_INTEGER,
      maximum: Number.MAX_SAFE_INTEGER,
    },
  }),
  v.check((input) => Object.keys(input).length <= KEYS_MAX, `must have at most ${KEYS_MAX} keys`),
  v.check((input) => Object.keys(input).every(isKey), `must have keys of 1 to ${KEY_LENGTH_MAX} characters`),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    for (const [key, value] of Object.entries(dataset.value))
      if (!isValue(value))
        addIssue({
          message: `must be text of at most ${VALUE_LENGTH_MAX} characters, a boolean, or a number of at most 15 digits`,
          path: [{ type: 'object', origin: 'value', input: dataset.value, key, value }],
        })
  }),
  v.transform((input): Metadata => ({ ...input })),
)

/** The merchant's own data about a resource. Every value is stored as it was sent. Unset metadata is empty. */
export const metadata = v.pipe(
  withDefault(entries, {} as Metadata),
  v.description(
    'Your own data about the resource: at most 50 keys with text, numbers or booleans, returned as they were sent.',
  ),
)

/** The whole metadata in a PATCH. Null empties it. If it is absent, the metadata stays unchanged. */
export const new_metadata = v.pipe(
  clearable(entries),
  v.transform((value): Metadata | undefined => (value === null ? {} : value)),
  v.description(
    'The whole new metadata, which replaces the present metadata, with the limits of metadata at creation. Null empties it. If it is absent, the metadata stays unchanged.',
  ),
)
