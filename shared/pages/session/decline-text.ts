import type { Locale } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/**
 * Returns the sentence that tells a customer why a payment failed and what to try. `code` is the failure or the error
 * code of the payment. A suspected fraud reads like any card that was declined, so that nobody can find out by a
 * payment whether a stolen card is known. A code without its own sentence gets the general one.
 */
export function declineText(locale: Locale, code: string): string {
  const reasons: Readonly<Record<string, string>> = texts[locale].declined
  const reason = code === 'fraudulent' ? 'card_declined' : code
  return (Object.hasOwn(reasons, reason) && reasons[reason]) || texts[locale].declined.general
}
