import { describe, expect, test } from 'vitest'
import { type CalendarEvent, calendarFile } from '#shared/pages/last-pages/calendar-file.ts'

const event: CalendarEvent = {
  uid: 'pay_1@pages.example',
  created_at: Date.parse('2026-01-01T00:00:00Z'),
  starts_at: Date.parse('2026-01-04T13:59:59Z'),
  ends_at: Date.parse('2026-01-04T14:59:59Z'),
  summary: 'Payment deadline',
  description: 'Pay',
  url: 'https://pages.example/pages/instructions/m/pay_1?locale=en',
}

const hostile = [
  'a, b; c \\ d',
  'Tea\r\nEND:VEVENT\r\nBEGIN:VEVENT',
  'Tea\nATTACH:file:///etc/passwd',
  'Tea\rX:1',
  'Tea\u2028X:1\u2029Y\u0085Z',
  'null\u0000 and tab\t',
  '店'.repeat(255),
  '👩‍🍳'.repeat(60),
  'מאפיית הזית',
  '\ud800 lone surrogate',
  '\\n is no line break',
  `${'x'.repeat(66)},${'y'.repeat(80)}`,
  '',
]

/** The lines of a calendar after unfolding, as RFC 5545 defines it. */
const linesOf = (text: string): string[] => text.replaceAll('\r\n ', '').split('\r\n').slice(0, -1)

const unescaped = (text: string): string =>
  text.replaceAll(/\\([\\;,nN])/g, (_, mark: string) => (/n/i.test(mark) ? '\n' : mark))

describe('calendarFile', () => {
  test('is a calendar with one event in UTC, and an alarm one day before the end', () => {
    expect(linesOf(calendarFile(event))).toEqual([
      ...['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Payment service//Hosted pages//EN', 'CALSCALE:GREGORIAN'],
      ...['METHOD:PUBLISH', 'BEGIN:VEVENT', 'UID:pay_1@pages.example', 'DTSTAMP:20260101T000000Z'],
      ...['DTSTART:20260104T135959Z', 'DTEND:20260104T145959Z', 'SUMMARY:Payment deadline', 'DESCRIPTION:Pay'],
      ...[`URL:${event.url}`, 'TRANSP:TRANSPARENT', 'BEGIN:VALARM', 'ACTION:DISPLAY', 'DESCRIPTION:Payment deadline'],
      ...['TRIGGER;RELATED=END:-P1D', 'END:VALARM', 'END:VEVENT', 'END:VCALENDAR'],
    ])
  })

  test.each(hostile)('keeps %j as the text of one property', (text) => {
    const plain = linesOf(calendarFile(event))
    const file = calendarFile({ ...event, summary: text, description: text })
    const lines = linesOf(file)
    expect(lines.map((line) => line.split(':')[0])).toEqual(plain.map((line) => line.split(':')[0]))
    const summary = lines.find((line) => line.startsWith('SUMMARY:'))!.slice('SUMMARY:'.length)
    const lineBreaks = text.toWellFormed().replaceAll(/\r\n|[\r\u2028\u2029]/g, '\n')
    expect(unescaped(summary)).toBe(lineBreaks.replaceAll(/[^\P{Cc}\n]/gu, ''))
  })

  test.each(hostile)(
    'folds %j into lines of at most 75 octets, each with CRLF, without a divided character',
    (text) => {
      const file = calendarFile({ ...event, summary: text, description: text.repeat(3) })
      expect(file.endsWith('\r\n')).toBe(true)
      expect(file.replaceAll('\r\n', '')).not.toMatch(/\p{Cc}/u)
      for (const line of file.split('\r\n')) {
        expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75)
        expect(line.isWellFormed()).toBe(true)
      }
    },
  )
})
