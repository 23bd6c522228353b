import { expect, test } from 'vitest'
import { INQUIRY_WAITS_SECONDS, nextInquiryAt } from '#shared/acquirer/inquiry-schedule.ts'

test('nextInquiryAt schedules inquiries after 1 minute, 5 minutes, 1 hour and five times a day, and then none', () => {
  const day = 86_400
  expect(INQUIRY_WAITS_SECONDS).toEqual([60, 300, 3600, day, day, day, day, day])
  const now = Date.parse('2030-01-02T03:00:00.999Z')
  expect(nextInquiryAt(0, now)).toBe('2030-01-02T03:01:00Z')
  expect(nextInquiryAt(1, now)).toBe('2030-01-02T03:05:00Z')
  expect(nextInquiryAt(2, now)).toBe('2030-01-02T04:00:00Z')
  for (const inquiries of [3, 4, 5, 6, 7]) expect(nextInquiryAt(inquiries, now)).toBe('2030-01-03T03:00:00Z')
  expect(nextInquiryAt(8, now)).toBeNull()
})
