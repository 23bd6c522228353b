/** How far Japan's time is ahead of UTC. Japan has no daylight saving time. */
export const JAPAN_AHEAD_MS = 9 * 3_600_000

/** Formats epoch milliseconds as in the API: `YYYY-MM-DDTHH:MM:SSZ`. Fractions of a second are cut off. */
export function timestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** Formats a timestamp of the API with milliseconds and Japan's offset: `YYYY-MM-DDTHH:MM:SS.mmm+09:00`. */
export const inJapan = (at: string): string =>
  new Date(Date.parse(at) + JAPAN_AHEAD_MS).toISOString().replace('Z', '+09:00')

const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const ISO_8601 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))$/

/**
 * Parses an ISO 8601 time into epoch milliseconds. The text must contain its offset, because a time without one means a
 * different moment in every time zone. Returns NaN for any other text, for a date that does not exist, and for a moment
 * outside the years 0000 to 9999.
 */
export function momentOf(text: string): number {
  const match = ISO_8601.exec(text)
  if (!match) return Number.NaN
  const [, minute, second = '00', fraction = '', sign, hours = '00', minutes = '00'] = match
  const local = `${minute}:${second}Z`
  const at = Date.parse(local)
  // `Date.parse` turns 31 February into a day in March.
  if (Number.isNaN(at) || timestamp(at) !== local) return Number.NaN
  if (Number(hours) > 23 || Number(minutes) > 59) return Number.NaN
  const offset_ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  const moment = at + Number(fraction.slice(0, 3).padEnd(3, '0')) - (sign === '-' ? -offset_ms : offset_ms)
  // An offset can move the moment out of the years with four digits.
  return moment >= FIRST && moment <= LAST ? moment : Number.NaN
}
