import * as v from 'valibot'
import { type IdKind, prefixes } from '#shared/domain/ids.ts'

/** Adds the text that explains a field of a response to merchants. */
export const described = <const Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.pipe(schema, v.description(text))

/** The field `resource`, which names the kind of an object. */
export const resourceName = <const Name extends string>(name: Name) =>
  v.pipe(v.literal(name), v.metadata({ type: 'string' }), v.description(`Kind of the object: always \`${name}\`.`))

/** An id, which begins with the prefix of its kind. */
export const shownId = (kind: IdKind) => v.pipe(v.string(), v.startsWith(prefixes[kind]))

/** An ISO 8601 time in UTC, to the second. */
export const shown_timestamp = v.pipe(v.string(), v.isoTimestamp(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/))

/** An ISO 8601 time in Japan, with milliseconds and offset. */
export const shown_time_in_japan = v.pipe(
  v.string(),
  v.isoTimestamp(),
  v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}\+09:00$/),
)

/** A whole number of at least 0. */
export const shown_count = v.pipe(v.number(), v.integer(), v.minValue(0))

/** An amount in the smallest unit of its currency. */
export const shown_amount = shown_count

/** The ISO 4217 code of a currency. */
export const shown_currency = v.pipe(v.string(), v.regex(/^[A-Z]{3}$/))

/** The URL of a page of this service or of a provider. URLs of merchants can contain characters that no URI may have. */
export const shown_url = v.pipe(v.string(), v.url())

/** The merchant's own data about a resource. */
export const shown_metadata = described(
  v.record(v.string(), v.union([v.string(), v.number(), v.boolean()])),
  "The merchant's own key-value pairs, returned exactly as they were sent. An empty object if there are none.",
)
