import type { Payment } from '#shared/domain/payment.ts'
import type { Locale } from '#shared/domain/session.ts'
import { money } from '#shared/pages/money.ts'
import { last_page_texts } from '#shared/pages/texts/last-page-texts.ts'
import { calendarFile } from './calendar-file.ts'

/** What the calendar of a payment deadline states besides its payment. */
export interface DeadlineCalendarInput {
  readonly payment: Payment
  readonly locale: Locale
  /** The URL of the page that explains how to pay. */
  readonly page_url: string
  /** Who is paid. */
  readonly shop_name: string
}

const HOUR_MS = 3_600_000

/**
 * Returns the calendar with the deadline of a cash payment: the hour before the deadline, with an alarm a day before.
 * The same payment always has the same event. The calendar contains no payment codes, because calendars are often
 * shared, and links to the page instead.
 */
export function deadlineCalendar({ payment, locale, page_url, shop_name }: DeadlineCalendarInput): string {
  const { calendar_summary, calendar_note } = last_page_texts[locale]
  const { id, total, currency, payment_deadline, created_at } = payment
  const url = `${page_url}?locale=${locale}`
  const ends_at = Date.parse(payment_deadline)
  return calendarFile({
    uid: `${id}@${new URL(page_url).hostname}`,
    created_at: Date.parse(created_at),
    starts_at: ends_at - HOUR_MS,
    ends_at,
    summary: calendar_summary(money(total, currency, locale), shop_name),
    description: `${calendar_note}\n${url}`,
    url,
  })
}
