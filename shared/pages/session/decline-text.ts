import type { Locale } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts/texts.ts'

/**
 * Returns the sentence that tells a customer why a payment failed and what to do. It never reveals a suspected fraud.
 * `code` is the failure or the error code of the payment; a code without its own sentence gets the general one.
 */
export function declineText(locale: Locale, code: string): string {
  const reasons: Readonly<Record<string, string>> = texts[locale].declined
  return (Object.hasOwn(reasons, code) && reasons[code]) || texts[locale].declined.general
}
