import { monthInJapan } from '#shared/domain/card.ts'
import type { Locale } from '#shared/domain/session.ts'
import { typed_fields } from '#shared/domain/typed-fields.ts'
import minified from '#shared/pages/scripts/minified-scripts.json' with { type: 'json' }
import { send_texts } from '#shared/pages/texts/send-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { type FieldName, form_fields } from './payment-form.ts'
import type { SessionPageInput } from './session-page-input.ts'

/**
 * Returns the script of a page with payment forms, which `payment-form-script-source.ts` explains. It contains the messages of
 * the fields on the page, in the language of the customer.
 */
export function paymentFormScript({ session, locale, methods, now }: SessionPageInput): string {
  const names = new Set(methods.flatMap(({ type }) => form_fields[type]))
  const messagesOf = (fault: 'missing' | 'invalid', fields: Iterable<FieldName>) =>
    Object.fromEntries(Array.from(fields, (name) => [name, texts[locale].fields[name][fault]]))
  const messages = {
    missing: messagesOf('missing', names),
    invalid: messagesOf(
      'invalid',
      [...names].filter((name) => canBeInvalid(name) && hasTwoMessages(name, locale)),
    ),
  }
  return `
{
const texts = ${embedded(messages)}
const notices = ${embedded(send_texts[locale].notices[session.mode])}
const firstMonth = ${monthInJapan(now)}
const triesBefore = ${session.tries};
${minified.payment_form}}
`
}

/** Whether the script checks more of a field than that it is filled in. */
const canBeInvalid = (name: FieldName): boolean => name === 'number' || typed_fields[name]?.pattern !== undefined

/** Whether an invalid field has another message than an empty one. The script shows that of an empty one otherwise. */
function hasTwoMessages(name: FieldName, locale: Locale): boolean {
  const { missing, invalid } = texts[locale].fields[name]
  return missing !== invalid
}

/** Returns a value as JSON that can stand in a script of a page. */
const embedded = (value: unknown): string => JSON.stringify(value).replaceAll('<', '\\u003c')
