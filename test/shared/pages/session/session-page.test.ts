import { describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { locales } from '#shared/domain/session.ts'
import { sessionPage } from '#shared/pages/session/session-page.ts'
import type { SessionPageInput } from '#shared/pages/session/session-page-input.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aSession, methodsFor, valuesOf } from '#test/browser/customer-pages.ts'

const shown = (changes: Partial<SessionPageInput> = {}) =>
  sessionPage({
    session: aSession(),
    locale: 'en',
    methods: methodsFor(['credit_card', 'konbini', 'paypay']),
    sandbox: false,
    ...changes,
  })

const mainOf = (changes: Partial<SessionPageInput> = {}) => String(shown(changes).main)

/** The form of one type of payment. */
const formOf = (main: string, type: string) =>
  main.split('<form ').find((form) => form.includes(`name="type" value="${type}"`))!

describe('sessionPage', () => {
  test('shows the items, the tax and the total', () => {
    const session = aSession({ line_items: [{ amount: 500, description: 'Green tea', quantity: 2, image: null }] })
    const main = mainOf({ session })
    expect(main).toMatch(/Green tea <span class="quantity">× 2<\/span>.*¥1,000.*Subtotal/)
    expect(main).toMatch(/Subtotal.*¥1,000.*Tax.*¥100.*Total.*¥1,100/)
  })

  test('has a form for each payment type, with its total on the button', () => {
    const main = mainOf()
    expect(main.match(/<details name="method"/g)).toHaveLength(3)
    expect(formOf(main, 'credit_card')).toContain('>Pay ¥1,100</button>')
    expect(formOf(main, 'konbini')).toContain('>Pay ¥1,290</button>')
    expect(main).toContain('¥190 fee')
    expect(main.match(/method="post" action="\?locale=en" novalidate/g)).toHaveLength(3)
  })

  test('opens the first payment type, or the one that was tried', () => {
    const opened = (main: string) => /<details name="method" open><summary><span>([^<]*)/.exec(main)?.[1]
    expect(opened(mainOf())).toBe('Credit card')
    expect(opened(mainOf({ chosen: 'konbini' }))).toBe('Convenience store')
    expect(opened(mainOf({ chosen: 'paidy' }))).toBe('Credit card')
  })

  test('shows a single payment type without a choice', () => {
    const main = mainOf({ methods: methodsFor(['credit_card']) })
    expect(main).not.toContain('<details name="method"')
    expect(formOf(main, 'credit_card')).toContain('name="number"')
  })

  test('keeps typed values after a decline, except secrets', () => {
    const typed = Object.fromEntries(
      [
        ...['number', 'expiry', 'verification_value', 'name', 'email', 'phone', 'family_name', 'given_name'],
        ...['family_name_kana', 'given_name_kana', 'prepaid_number', 'user_no', 'user_password', 'constructor'],
      ].map((name) => [name, `typed-${name}`]),
    )
    const kept = payment_types.flatMap((chosen) => {
      const main = mainOf({ methods: methodsFor(payment_types), chosen, typed, declined: 'card_declined' })
      return Array.from(main.matchAll(/typed-(\w+)/g), ([, name]) => name)
    })
    expect([...new Set(kept)].sort()).toEqual(
      [
        ...['email', 'family_name', 'family_name_kana', 'given_name', 'given_name_kana', 'name', 'phone', 'user_no'],
      ].sort(),
    )
    expect(mainOf({ chosen: 'konbini', typed: { store: 'lawson' } })).toContain('value="lawson" checked')
  })

  test('keeps typed values in their own form, and the e-mail address of the session in every form', () => {
    const session = aSession({ email: 'session@example.jp' })
    const main = mainOf({ session, chosen: 'konbini', typed: { email: 'typed@example.jp' } })
    expect(formOf(main, 'konbini')).toContain('value="typed@example.jp"')
    expect(formOf(main, 'credit_card')).toContain('value="session@example.jp"')
    expect(mainOf({ session, chosen: 'konbini', typed: { email: '' } })).not.toContain('id="konbini-email" value=')
  })

  test.each(locales)('shows faults at the top and at their fields (%s)', (locale) => {
    const page = shown({ locale, chosen: 'credit_card', faults: { number: 'invalid', name: 'missing' } })
    const main = String(page.main)
    const { number, name } = texts[locale].fields
    expect(page.status).toBe(422)
    expect(page.title).toContain(texts[locale].error)
    expect(main).toMatch(/<div class="alert" role="alert">/)
    expect(main).toContain(`<a href="#credit_card-number">${number.invalid}</a>`)
    expect(main).toContain(`<p class="fault" id="credit_card-number-fault">${number.invalid}</p>`)
    expect(main).toContain(`<a href="#credit_card-name">${name.missing}</a>`)
    expect(main.match(/aria-invalid="true"/g)).toHaveLength(2)
    expect(main).toMatch(/id="credit_card-name"[^>]*aria-describedby="credit_card-name-hint credit_card-name-fault"/)
  })

  test('ignores a fault of a field that the form does not have', () => {
    expect(shown({ chosen: 'paypay', faults: { number: 'missing' } })).toMatchObject({ status: 200 })
  })

  test.each(Object.keys(texts.en.declined))('explains a decline for %s in every language', (declined) => {
    for (const locale of locales) {
      const page = shown({ locale, declined })
      expect(page.status).toBe(402)
      const messages: Record<string, string> = texts[locale].declined
      expect(String(page.main)).toContain(messages[declined])
      expect(String(page.main)).toContain(texts[locale].not_paid)
    }
  })

  test.each(['constructor', '__proto__', 'toString', 'no_such_code', ''])(
    'explains a decline for %j in general words',
    (code) => {
      expect(mainOf({ declined: code })).toContain(texts.en.declined.general)
    },
  )

  test('shows no amount if a card is only saved', () => {
    const session = aSession({ mode: 'customer', amount: null, currency: null, tax: 0, line_items: [] })
    const main = mainOf({ session, methods: [{ type: 'credit_card', fee: 0, total: 0 }] })
    expect(main).toContain('Save card</button>')
    expect(main).toContain(texts.en.save_card_note)
    expect(main).not.toMatch(/¥|Total|Pay /)
  })

  test('shows a note in the sandbox that no money moves', () => {
    expect(mainOf({ sandbox: true })).toContain(texts.en.test_mode.text)
    expect(mainOf()).not.toContain(texts.en.test_mode.text)
  })

  test('cancels at its own address, in the same language', () => {
    expect(valuesOf(mainOf(), 'action').at(-1)).toBe('./ses_1/cancel?locale=en')
  })

  test('folds a long list after five items, and keeps all of them', () => {
    const items = Array.from({ length: 40 }, (_, n) => ({ amount: n, description: `#${n}.`, quantity: 1, image: null }))
    const main = mainOf({ session: aSession({ line_items: items }) })
    expect(main).toContain('Show 35 more')
    expect(items.filter(({ description }) => !main.includes(description))).toEqual([])
  })

  test('does not name the host of the return_url as the merchant', () => {
    const page = shown({ session: aSession({ merchant_name: null, return_url: 'https://shop.example/done' }) })
    expect(page.title + String(page.main)).not.toContain('shop.example')
  })

  test.each([
    [1.5, 333, '× 1.5</span>', '¥500'],
    [0.333333333, 333, '× 0.333333</span>', '¥111'],
    [1234, 1, '× 1,234</span>', '¥1,234'],
  ])('shows the quantity %s of an item, and its amount rounded to the yen', (quantity, amount, shown, price) => {
    const line_items = [{ amount, description: 'Tea', quantity, image: null }]
    const main = mainOf({ session: aSession({ line_items }) })
    expect(main).toContain(shown)
    expect(main).toContain(`<span class="price">${price}</span>`)
  })

  test('shows an item without a description as "Item"', () => {
    const line_items = [{ amount: null, description: null, quantity: null, image: 'https://evil.example/a.png' }]
    const main = mainOf({ session: aSession({ line_items }) })
    expect(main).toContain('<li><span>Item</span></li>')
    expect(main).not.toContain('evil.example')
  })
})
