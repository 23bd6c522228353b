import { Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { paymentFormScript } from '#shared/pages/session/payment-form-script.ts'
import { send_texts } from '#shared/pages/texts/send-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aSession, methodsFor } from '#test/browser/customer-pages.ts'

const input = { session: aSession(), methods: methodsFor(['credit_card']), sandbox: false, now: 0 }

describe('paymentFormScript', () => {
  test.each(locales)('is valid, safe to embed, and asks for no other address (%s)', (locale) => {
    const script = paymentFormScript({ ...input, locale })
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/<\/|<!--|https?:|XMLHttpRequest|import|eval|innerHTML|Storage|cookie/)
    expect(script.match(/fetch\(/g)).toHaveLength(1)
  })

  test('has the messages of the fields on the page in the language of the customer, and no others', () => {
    const script = paymentFormScript({ ...input, locale: 'ja' })
    expect(script).toContain(texts.ja.fields.number.invalid)
    expect(script).not.toContain(texts.ja.fields.phone.invalid)
    expect(script).toContain(texts.ja.fields.name.missing)
    expect(script).not.toContain(texts.ja.fields.name.invalid)
    expect(script).not.toContain(texts.en.fields.number.invalid)
    const cash = paymentFormScript({ ...input, locale: 'ja', methods: methodsFor(['bank_transfer']) })
    expect(cash).toContain(texts.ja.fields.phone.invalid)
  })

  test('speaks of a payment or of a card, as the session does', () => {
    const { payment, customer } = send_texts.en.notices
    const save = paymentFormScript({ ...input, locale: 'en', session: aSession({ mode: 'customer' }) })
    expect([save.includes(customer.unknown.title), save.includes(payment.unknown.title)]).toEqual([true, false])
  })

  test('states the first month in which a card is valid, and the tries so far', () => {
    const script = paymentFormScript({ ...input, locale: 'en', session: aSession({ tries: 3 }) })
    expect(script).toContain(`const firstMonth = ${12 * 1970 + 1}\n`)
    expect(script).toContain('const triesBefore = 3;\n')
  })
})
