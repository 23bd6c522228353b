/** How far Japan's clock is ahead of UTC. Japan has no summer time. */
export const JAPAN_AHEAD_MS = 9 * 3_600_000

/** The moment as the API writes it: `YYYY-MM-DDTHH:MM:SSZ`, with what is left of the second cut off. Takes epoch milliseconds. */
export function timestamp(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** A moment of the API with fractional seconds and Japan's offset: `YYYY-MM-DDTHH:MM:SS.mmm+09:00`. */
export const inJapan = (at: string): string =>
  new Date(Date.parse(at) + JAPAN_AHEAD_MS).toISOString().replace('Z', '+09:00')

const FIRST = Date.parse('0000-01-01T00:00:00Z')
const LAST = Date.parse('9999-12-31T23:59:59.999Z')

const ISO_8601 = /^(\d{4}-\d\d-\d\dT\d\d:\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(?:Z|([+-])(\d\d):?(\d\d))$/

/**
 * The moment that an ISO 8601 text names, in epoch milliseconds. The text must tell its offset, since a time without one
 * is another moment in every country. NaN for everything else, dates that no calendar has included.
 */
export function momentOf(text: string): number {
  const match = ISO_8601.exec(text)
  if (!match) return Number.NaN
  const [, minute, second = '00', fraction = '', sign, hours = '00', minutes = '00'] = match
  const local = `${minute}:${second}Z`
  const at = Date.parse(local)
  // Date.parse takes 31 February for 2 March.
  if (Number.isNaN(at) || timestamp(at) !== local) return Number.NaN
  if (Number(hours) > 23 || Number(minutes) > 59) return Number.NaN
  const offset_ms = (Number(hours) * 60 + Number(minutes)) * 60_000
  const moment = at + Number(fraction.slice(0, 3).padEnd(3, '0')) - (sign === '-' ? -offset_ms : offset_ms)
  // An offset may lead out of the years that have four digits.
  return moment >= FIRST && moment <= LAST ? moment : Number.NaN
}
