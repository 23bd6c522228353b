import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { sendAlert } from '#shared/pages/session/send-alert.ts'
import type { SessionPageInput } from '#shared/pages/session/session-page-input.ts'
import { send_texts } from '#shared/pages/texts/send-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aSession, methodsFor } from '#test/browser/customer-pages.ts'

const alertOf = (changes: Partial<SessionPageInput>) =>
  String(
    sendAlert({
      ...{ session: aSession({ tries: 2 }), locale: 'en', sandbox: false, now: 0 },
      methods: methodsFor(['credit_card', 'bit_cash', 'retailer_account', 'konbini']),
      ...changes,
    }),
  )

const typed = { number: '4111111111111111', expiry: '12/35', verification_value: '123', name: 'Hanako' }

describe('sendAlert', () => {
  test('is absent while nothing is wrong', () => {
    expect(alertOf({})).toBe('')
    expect(alertOf({ chosen: 'paypay', faults: { number: 'missing' } })).toBe('')
  })

  test('gets the focus, and states the number of tries', () => {
    for (const changes of [{ declined: 'card_declined' }, { chosen: 'konbini', faults: { store: 'missing' } }] as const)
      expect(alertOf(changes)).toMatch(/^<div class="alert" role="alert" tabindex="-1" autofocus data-tries="2">/)
  })

  test('links the faulty fields in the order of the form', () => {
    const alert = alertOf({ chosen: 'credit_card', faults: { name: 'missing', number: 'invalid' } })
    expect(Array.from(alert.matchAll(/href="#([^"]*)"/g), ([, id]) => id)).toEqual([
      'credit_card-number',
      'credit_card-name',
    ])
  })

  test.each(locales)('says in %s why which typed fields are empty again', (locale) => {
    const { number, verification_value, expiry } = texts[locale].fields
    const labels = new Intl.ListFormat(locale).format([number.label, verification_value.label])
    const wrong = alertOf({ locale, chosen: 'credit_card', typed, faults: { number: 'invalid' } })
    const declined = alertOf({ locale, chosen: 'credit_card', typed, declined: 'card_declined' })
    for (const alert of [wrong, declined]) {
      expect(alert).toContain(`<p data-retype>${send_texts[locale].retype(labels)}</p>`)
      expect(alert).not.toContain(expiry.label)
    }
  })

  test('asks again only for what the customer had typed', () => {
    const alert = alertOf({ chosen: 'credit_card', typed: { ...typed, number: '' }, faults: { number: 'missing' } })
    expect(alert).toContain(send_texts.en.retype(texts.en.fields.verification_value.label))
    expect(alertOf({ chosen: 'bit_cash', typed: { prepaid_number: '1' }, declined: 'used_number' })).toContain(
      send_texts.en.retype(texts.en.fields.prepaid_number.label),
    )
    expect(alertOf({ chosen: 'konbini', typed: { email: 'x' }, faults: { email: 'invalid' } })).not.toContain('retype')
    expect(alertOf({ declined: 'card_declined' })).not.toContain('retype')
  })
})
