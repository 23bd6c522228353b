import { timestamp } from '#shared/domain/timestamp.ts'

/** An event of a calendar that reminds its owner a day before the end. Times are epoch milliseconds. */
export interface CalendarEvent {
  /** Identifies the event. A calendar that gets the same id again replaces the event. */
  readonly uid: string
  readonly created_at: number
  readonly starts_at: number
  readonly ends_at: number
  readonly summary: string
  readonly description: string
  readonly url: string
}

/** Returns a calendar with one event, as RFC 5545 defines it. */
export function calendarFile(event: CalendarEvent): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Payment service//Hosted pages//EN',
    'CALSCALE:GREGORIAN',
    'METHOD:PUBLISH',
    'BEGIN:VEVENT',
    `UID:${escaped(event.uid)}`,
    `DTSTAMP:${utc(event.created_at)}`,
    `DTSTART:${utc(event.starts_at)}`,
    `DTEND:${utc(event.ends_at)}`,
    `SUMMARY:${escaped(event.summary)}`,
    `DESCRIPTION:${escaped(event.description)}`,
    `URL:${withoutControls(event.url)}`,
    'TRANSP:TRANSPARENT',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    `DESCRIPTION:${escaped(event.summary)}`,
    'TRIGGER;RELATED=END:-P1D',
    'END:VALARM',
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return lines.map((line) => `${folded(line)}\r\n`).join('')
}

const utc = (at: number): string => timestamp(at).replaceAll(/[-:]/g, '')

/** Escapes a value of type TEXT. Control characters other than line breaks are not allowed in it, and are left out. */
const escaped = (text: string): string =>
  text
    .toWellFormed()
    .split(/\r\n|[\r\n\u2028\u2029]/)
    .map((line) => withoutControls(line).replaceAll(/[\\;,]/g, '\\$&'))
    .join('\\n')

const withoutControls = (text: string): string => text.replaceAll(/\p{Cc}/gu, '')

const LINE_MAX_OCTETS = 75

/**
 * Folds a line into lines of at most 75 octets. Each further line begins with a space, which counts. No character is
 * divided.
 */
function folded(line: string): string {
  let octets = 0
  let text = ''
  for (const character of line) {
    const length = Buffer.byteLength(character)
    if (octets + length > LINE_MAX_OCTETS) {
      text += '\r\n '
      octets = 1
    }
    text += character
    octets += length
  }
  return text
}
