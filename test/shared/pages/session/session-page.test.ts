import { describe, expect, test } from 'vitest'
import { card_brands, payment_types } from '#shared/domain/payment-details.ts'
import { locales } from '#shared/domain/session.ts'
import { sessionPage } from '#shared/pages/session/session-page.ts'
import type { SessionPageInput } from '#shared/pages/session/session-page-input.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aSession, methodsFor, shownCard, valuesOf } from '#test/browser/customer-pages.ts'

const NOW = Date.parse('2030-01-02T03:00:00Z')

const shown = (changes: Partial<SessionPageInput> = {}) =>
  sessionPage({
    session: aSession(),
    locale: 'en',
    methods: methodsFor(['credit_card', 'konbini', 'paypay']),
    sandbox: false,
    now: NOW,
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
    expect(main).toMatch(/Green tea<\/bdi> <small>¥500 × 2<\/small>.*¥1,000.*Subtotal/)
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
    const opened = (main: string) => /<details name="method" open><summary><span>([^<]*)/.exec(main)?.[1]?.trim()
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
        ...[
          'email',
          'expiry',
          'family_name',
          'family_name_kana',
          'given_name',
          'given_name_kana',
          'name',
          'phone',
          'user_no',
        ],
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
    expect(main).toMatch(/<div class="alert" role="alert" /)
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

  test('lists the items of a session that takes no payment, without prices', () => {
    const session = aSession({ mode: 'customer', amount: null, currency: null, tax: 0 })
    const main = mainOf({ session, methods: [{ type: 'credit_card', fee: 0, total: 0 }] })
    expect(main).toContain('<h1 id="order">Save your card</h1>')
    expect(main).toContain('<li><div><bdi>Tea</bdi></div></li>')
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

  test('folds a long list on a small screen, keeps all of its items, and keeps the total visible', () => {
    const items = Array.from({ length: 100 }, (_, n) => ({
      amount: n,
      description: `#${n}.`,
      quantity: 1,
      image: null,
    }))
    const main = mainOf({ session: aSession({ line_items: items }) })
    const [folded] = /<details><summary>Order details \(100 items\)<.*?<\/details>/.exec(main)!
    expect(items.filter(({ description }) => !folded.includes(description))).toEqual([])
    expect(main.replace(folded, '')).toMatch(/class="due">¥1,100<.*<dl class="sums">.*¥1,100/)
  })

  test.each([
    ['short', 2, 'Tea', false],
    ['long', 3, 'Tea', true],
    ['wordy', 1, 'Tea '.repeat(70), true],
  ])('folds a list only if it is long: %s', (_what, length, description, folds) => {
    const line_items = Array.from({ length }, () => ({ amount: 1, description, quantity: 1, image: null }))
    expect(mainOf({ session: aSession({ line_items }) }).includes('class="long"')).toBe(folds)
  })

  test('shows no quantity of a single item, and no price of an item without an amount', () => {
    const line_items = [
      { amount: 300, description: 'Cup', quantity: 1, image: null },
      { amount: null, description: 'Spoon', quantity: 3, image: null },
    ]
    const main = mainOf({ session: aSession({ line_items }) })
    expect(main).toContain('<bdi>Cup</bdi></div><span class="price">¥300</span>')
    expect(main).toContain('<bdi>Spoon</bdi> <small>× 3</small></div></li>')
  })

  test('shows the total once if there are no items and no tax', () => {
    const main = mainOf({ session: aSession({ line_items: [], tax: 0 }) })
    expect(main).toContain('<h1 id="order">Payment <span class="due">¥1,000</span></h1>')
    expect(main).not.toMatch(/class="sums"/)
  })

  test('adds the fee to the total above the button, for a method with a fee', () => {
    const main = mainOf()
    expect(formOf(main, 'konbini')).toMatch(
      /Order total.*¥1,100.*Fee.*¥190.*You pay.*¥1,290.*<button class="button">Pay ¥1,290/,
    )
    expect(formOf(main, 'credit_card')).not.toContain('Fee')
  })

  test('names the method on a button that leads to another site', () => {
    expect(formOf(mainOf(), 'paypay')).toContain('>Continue to PayPay · ¥1,100</button>')
  })

  test('has a mark for each method, and those of the accepted brands for a card', () => {
    const main = mainOf({ methods: methodsFor(payment_types) })
    expect(main.match(/<\/span><svg viewBox/g)).toHaveLength(payment_types.length - 1)
    const sheet = valuesOf(main, 'id').filter((id) => id.startsWith('mark-'))
    expect(sheet).toEqual(card_brands.map((brand) => `mark-${brand}`))
    expect(valuesOf(main, 'href').filter((href) => href.startsWith('#mark-'))).toEqual(sheet.map((id) => `#${id}`))
    expect(main).toContain('aria-label="Visa, Mastercard, JCB, American Express, Diners Club, Discover, UnionPay"')
  })

  test('does not draw the brands of cards if it takes no cards', () => {
    expect(mainOf({ methods: methodsFor(['paypay', 'konbini']) })).not.toContain('mark-visa')
  })

  test('folds the less likely methods, and unfolds them for a method that was tried', () => {
    const methods = methodsFor(payment_types)
    const rest = (main: string) => main.slice(main.indexOf('<details class="rest"'))
    const main = mainOf({ methods })
    expect(main.slice(0, main.indexOf('class="rest"')).match(/<details name="method"/g)).toHaveLength(5)
    expect(rest(main)).toContain('<summary>14 more payment methods</summary>')
    expect(rest(main)).not.toContain(' open')
    const tried = rest(mainOf({ methods, chosen: 'pay_easy', faults: { phone: 'missing' } }))
    expect(tried).toMatch(/^<details class="rest" open>/)
    expect(tried).toMatch(/<details name="method" open><summary><span>Pay-easy/)
  })

  test('does not name the host of the return_url as the merchant', () => {
    const page = shown({ session: aSession({ merchant_name: null, return_url: 'https://shop.example/done' }) })
    expect(page.title + String(page.main)).not.toContain('shop.example')
  })

  test.each([
    [1.5, 333, '¥333 × 1.5</small>', '¥500'],
    [0.333333333, 333, '¥333 × 0.333333</small>', '¥111'],
    [1234, 1, '¥1 × 1,234</small>', '¥1,234'],
    [0, 300, '¥300 × 0</small>', '¥0'],
  ])('shows the quantity %s of an item, and its amount rounded to the yen', (quantity, amount, shown, price) => {
    const line_items = [{ amount, description: 'Tea', quantity, image: null }]
    const main = mainOf({ session: aSession({ line_items }) })
    expect(main).toContain(shown)
    expect(main).toContain(`<span class="price">${price}</span>`)
  })

  test('shows an item without a description as "Item"', () => {
    const line_items = [{ amount: null, description: null, quantity: null, image: 'https://evil.example/a.png' }]
    const main = mainOf({ session: aSession({ line_items }) })
    expect(main).toContain('<li><div><bdi>Item</bdi></div></li>')
    expect(main).not.toContain('evil.example')
  })

  describe('with a stored card', () => {
    const stored_card = { ...shownCard, last_four_digits: '4242', month: 7, year: 2031 }
    const methods = methodsFor(['paypay', 'credit_card'])

    test.each(locales)(
      'offers it first, with its mark, last four digits and expiry, and then another card (%s)',
      (locale) => {
        const { saved_card, another_card, expires } = checkout_texts[locale]
        const main = mainOf({ locale, stored_card, methods })
        const names = Array.from(main.matchAll(/<summary><span>([^<]*)/g), ([, name]) => name!.trim())
        expect(names).toEqual(['Visa •••• 4242', 'PayPay', another_card])
        expect(main).toContain(`<small>${saved_card} · ${expires('07/31')}</small></span><svg aria-hidden="true"><use`)
        expect(main.match(/<details name="method" open>/g)).toHaveLength(1)
        expect(main.indexOf(' open>')).toBeLessThan(main.indexOf('value="stored_card"'))
      },
    )

    test('opens the form that was tried instead', () => {
      const main = mainOf({ stored_card, methods, chosen: 'credit_card', faults: { number: 'missing' } })
      expect(main).toMatch(/<details name="method" open><summary><span>Another card/)
      expect(main.match(/ open>/g)).toHaveLength(1)
    })

    test('has a form without fields for it, with the total on the button', () => {
      const form = formOf(mainOf({ stored_card, methods: methodsFor(['credit_card']) }), 'stored_card')
      expect(form).toMatch(/value="stored_card"><button class="button">Pay ¥1,100<\/button><\/form>/)
    })

    test.each([
      ['on its last day', Date.parse('2031-07-31T14:59:59Z'), true],
      ['when its month has ended in Japan', Date.parse('2031-07-31T15:00:00Z'), false],
    ])('%s, it is offered or said to have expired', (_when, now, offered) => {
      const main = mainOf({ stored_card, methods, now })
      expect(main.includes('value="stored_card"')).toBe(offered)
      expect(main.includes(checkout_texts.en.expired_card('Visa •••• 4242', '07/31'))).toBe(!offered)
    })

    test('shows a card of an unknown brand and without a date by its digits', () => {
      const main = mainOf({ stored_card: { ...shownCard, brand: null }, methods })
      expect(main).toContain('<span>•••• 0100 <small>Saved card</small></span>')
      expect(main).toContain('</span><svg viewBox')
    })

    test('does not offer it if the session takes no cards', () => {
      expect(mainOf({ stored_card, methods: methodsFor(['paypay']) })).not.toContain('stored_card')
    })
  })
})
