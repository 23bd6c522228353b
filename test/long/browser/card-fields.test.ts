import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Locale, locales } from '#shared/domain/session.ts'
import { money } from '#shared/pages/money.ts'
import type { FieldName } from '#shared/pages/session/payment-form.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, fillCard, labelOf, methodOf, openCheckout, typed_card } from '#test/browser/browser-checkout.ts'
import { phone, type Tab } from '#test/browser/browser-tab.ts'

/** These tests type into the fields of payment forms, right and wrong. */

const openTab = useBrowser()
let checkout: Checkout
beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

const payLabel = (locale: Locale) => texts[locale].pay(money(1000, 'JPY', locale))

async function visit(fields: object = {}, options = {}): Promise<Tab> {
  const tab = await openTab(options)
  await tab.visit((await checkout.newSession(fields)).session_url)
  return tab
}

const labelled = (name: FieldName, locale: Locale = 'en') =>
  new RegExp(`^${RegExp.escape(texts[locale].fields[name].label)}`)
const field = (tab: Tab, name: FieldName, locale?: Locale) => tab.find(labelled(name, locale))
const type = (tab: Tab, name: FieldName, text: string, locale?: Locale) => tab.fill(labelled(name, locale), text)
const leave = (tab: Tab) => tab.page.keyboard.press('Tab')
const isInvalid = async (tab: Tab, name: FieldName) => (await field(tab, name)).invalid
const focused = async (tab: Tab) => (await tab.elements()).find((each) => each.focused && each.role !== 'RootWebArea')
const announced = (tab: Tab) => tab.page.evaluate(`document.querySelector('[role=status]').textContent`)
const posts = (tab: Tab) => tab.requests.filter(({ method }) => method === 'POST')

describe('the number of a card', () => {
  test.each([
    ['4', 'Visa', '123'],
    ['5555', 'Mastercard', '123'],
    ['3782', 'American Express', '1234'],
    ['3530', 'JCB', '123'],
    ['30569', 'Diners Club', '123'],
    ['6011', 'Discover', '123'],
    ['62', 'UnionPay', '123'],
  ])('%s shows and announces the brand %s', async (number, brand, code) => {
    const tab = await visit()
    await type(tab, 'number', number)
    expect(await announced(tab)).toBe(brand)
    expect(await tab.page.evaluate(`document.querySelector('[data-brand]').textContent`)).toBe(brand)
    const hint = await tab.page.evaluate(`document.querySelector('[name=verification_value]').placeholder`)
    expect(hint).toBe(code)
    await type(tab, 'number', '9')
    expect(await tab.page.evaluate(`document.querySelector('[data-brand]').textContent`)).toBe('')
  })

  test('shows the mark of the brand, if the page has one', async () => {
    const tab = await visit()
    await tab.page.evaluate(`document.querySelector('main').append(Object.assign(
      document.createElementNS('http://www.w3.org/2000/svg', 'symbol'), { id: 'mark-jcb' }))`)
    const shown = () =>
      tab.page.evaluate(`[document.querySelector('[data-brand] use').getAttribute('href'),
      document.querySelector('[data-brand] svg').hasAttribute('hidden')]`)
    await type(tab, 'number', '3530')
    expect(await shown()).toEqual(['#mark-jcb', false])
  })

  test.each([
    ['４１１１－１１１１ー1111‐1111', '4111 1111 1111 1111'],
    [' 4111 - 1111 - 1111 - 1111 ', '4111 1111 1111 1111'],
    ['4111.1111/1111\u00a01111', '4111 1111 1111 1111'],
    ['378282246310005', '3782 822463 10005'],
    ['4111 1111 1111 1111 111 000', '4111 1111 1111 1111 111'],
  ])('is tidied when %j is pasted', async (pasted, shown) => {
    const tab = await visit()
    await type(tab, 'number', pasted)
    expect((await field(tab, 'number')).value).toBe(shown)
  })

  test('keeps the caret where the customer corrects a digit', async () => {
    const tab = await visit()
    await type(tab, 'number', '4111111111111111')
    for (let step = 0; step < 5; step++) await tab.page.keyboard.press('ArrowLeft')
    await tab.page.keyboard.press('Backspace')
    await tab.page.keyboard.type('99')
    expect((await field(tab, 'number')).value).toBe('4111 1111 1119 9111 1')
  })
})

test.each([
  ['1235', '12 / 35'],
  ['12/2035', '12 / 35'],
  ['１２／３５', '12 / 35'],
  ['12 - 35', '12 / 35'],
  ['5/31', '05 / 31'],
])('the expiry date %s becomes %s', async (typed, shown) => {
  const tab = await visit()
  await type(tab, 'expiry', '')
  await tab.page.keyboard.type(typed)
  expect((await field(tab, 'expiry')).value).toBe(shown)
})

/** A wrong and a right value of each text field. */
const values: Readonly<Partial<Record<FieldName, readonly [wrong: string, right: string]>>> = {
  number: ['4111111111111112', '4111111111111111'],
  expiry: ['12/29', '12/35'],
  verification_value: ['1', '123'],
  email: ['hanako@example', 'hanako@example.jp'],
  phone: ['090-12', '090-1234-5678'],
  family_name_kana: ['Yamada', 'やまだ'],
  given_name_kana: ['花子', 'ﾊﾅｺ'],
}

describe.each(locales)('a field in %s', (locale) => {
  test.each(['credit_card', 'bank_transfer'] as const)(
    'of the form of %s says what is wrong with it',
    async (method) => {
      const tab = await visit({ default_locale: locale, payment_types: [method] })
      for (const [name, [wrong, right]] of Object.entries(values) as [FieldName, readonly [string, string]][]) {
        if (!(await tab.has(labelled(name, locale), /^textbox$/))) continue
        const { invalid } = texts[locale].fields[name]
        await type(tab, name, wrong, locale)
        expect((await field(tab, name, locale)).description).not.toContain(invalid)
        await leave(tab)
        await expect.poll(async () => (await field(tab, name, locale)).description).toContain(invalid)
        expect([name, await announced(tab)]).toEqual([name, invalid])
        await type(tab, name, right, locale)
        const { description, invalid: is_invalid } = await field(tab, name, locale)
        expect([name, description.includes(invalid), is_invalid]).toEqual([name, false, false])
      }
    },
  )
})

describe('a field', () => {
  test('says nothing while the customer types into it for the first time, or leaves it empty', async () => {
    const tab = await visit()
    await tab.page.focus('[name=number]')
    await leave(tab)
    await tab.page.keyboard.type('1')
    expect([await isInvalid(tab, 'number'), await isInvalid(tab, 'expiry')]).toEqual([false, false])
    await type(tab, 'number', '')
    await tab.page.keyboard.type('4111')
    expect(await isInvalid(tab, 'number')).toBe(false)
  })

  test('says nothing while the customer types into it, if the check of another field comes late', async () => {
    const tab = await visit()
    await tab.page.evaluate('window.late = []; window.setTimeout = (act) => window.late.push(act)')
    for (const [name, text] of [...Object.entries(typed_card).slice(0, 2), ['verification_value', '1']]) {
      await tab.page.focus(`[name=${name}]`)
      await tab.page.keyboard.type(text!)
    }
    expect(await tab.page.evaluate('window.late.splice(0).map((act) => act()).length')).toBeGreaterThan(0)
    expect(await isInvalid(tab, 'verification_value')).toBe(false)
    await leave(tab)
    await tab.page.evaluate('window.late.splice(0).map((act) => act())')
    expect(await isInvalid(tab, 'verification_value')).toBe(true)
  })

  test('that was filled in and emptied says what to enter', async () => {
    const tab = await visit()
    await type(tab, 'name', 'Hanako')
    await type(tab, 'name', '')
    await leave(tab)
    await expect.poll(async () => (await field(tab, 'name')).description).toContain(texts.en.fields.name.missing)
  })

  test('for the code is checked again when another brand of card is typed', async () => {
    const tab = await visit()
    await fillCard(tab)
    await type(tab, 'number', '378282246310005')
    await leave(tab)
    await expect.poll(() => isInvalid(tab, 'verification_value')).toBe(true)
    await type(tab, 'number', '4111111111111111')
    expect(await isInvalid(tab, 'verification_value')).toBe(false)
  })

  test('for kana turns hiragana into katakana', async () => {
    const tab = await visit({ payment_types: ['bank_transfer'] })
    await type(tab, 'family_name_kana', 'やまだ')
    await leave(tab)
    await expect.poll(async () => (await field(tab, 'family_name_kana')).value).toBe('ヤマダ')
  })

  test('does not move the button away from under a click when its message appears', async () => {
    for (const options of [{}, { viewport: phone }]) {
      const tab = await visit({}, options)
      const arrival = checkout.shop.nextVisit()
      await type(tab, 'email', 'nobody')
      await tab.press(texts.en.cancel)
      await arrival
    }
  })
})

describe('a form', () => {
  test('with faults sends nothing, shows all of them and moves to the first', async () => {
    const tab = await visit()
    await fillCard(tab, { expiry: '', name: '', email: 'nobody' })
    expect(await tab.press(payLabel('en'))).toBe(422)
    expect(posts(tab)).toEqual([])
    expect((await tab.elements()).filter(({ invalid }) => invalid).map(({ name }) => name.split(' (')[0])).toEqual([
      ...['Expiry', texts.en.fields.name.label, texts.en.fields.email.label],
    ])
    expect((await focused(tab))!.name).toBe(texts.en.fields.expiry.label)
  })

  test('needs a choice of a store, and moves to it', async () => {
    const tab = await visit({ payment_types: ['konbini', 'credit_card'] })
    await tab.unfold(methodOf('konbini'))
    await tab.page.type('#konbini-email', 'hanako@example.com')
    await tab.page.keyboard.press('Enter')
    const { store } = texts.en.fields
    await expect.poll(() => tab.text()).toContain(store.missing)
    expect((await focused(tab))!.role).toBe('radio')
    await tab.choose(/lawson/i)
    expect(await tab.text()).not.toContain(store.missing)
  })

  test.each(Object.entries({ ...typed_card, number: '4111111111111112', expiry: '12/29', email: 'x', name: ' ' }))(
    'with a typo in %s keeps everything else',
    async (name, wrong) => {
      if (name === 'verification_value') wrong = '12'
      const tab = await visit()
      await fillCard(tab, { [name]: wrong })
      expect(await tab.press(payLabel('en'))).toBe(422)
      for (const [other, value] of Object.entries(typed_card).filter(([other]) => other !== name)) {
        const kept = (await tab.find(labelOf(other as keyof typeof typed_card))).value
        expect([other, kept.replaceAll(' ', '')]).toEqual([other, value.replaceAll(' ', '')])
      }
    },
  )

  test('takes over the faults that only the service finds, and forgets each when it is corrected', async () => {
    const tab = await visit()
    await fillCard(tab)
    // The service reads the form as if the script had found no fault.
    await tab.page.evaluate(`document.addEventListener('formdata', ({ formData }) => {
      formData.set('email', 'nobody')
      formData.set('name', '')
    }, { once: true })`)
    expect(await tab.press(payLabel('en'))).toBe(422)
    const { name, email } = texts.en.fields
    expect(await tab.text()).toContain(texts.en.faulty)
    expect((await focused(tab))!.name).toBe(name.label)
    expect((await field(tab, 'number')).value).toBe('4111 1111 1111 1111')
    expect((await field(tab, 'name')).value).toBe(typed_card.name)
    const links = async () =>
      (await tab.elements()).filter(({ role, name: link }) => role === 'link' && /valid|Enter/.test(link)).length
    expect(await links()).toBe(2)
    await type(tab, 'name', 'Hanako')
    expect([await links(), (await field(tab, 'email')).description]).toEqual([1, email.invalid])
    await type(tab, 'email', 'hanako@example.com')
    expect(await tab.text()).not.toContain(texts.en.faulty)
  })

  test('moves to the alert after a decline', async () => {
    const tab = await visit()
    await fillCard(tab, { number: '4123111111111000' })
    expect(await tab.press(payLabel('en'))).toBe(402)
    expect((await focused(tab))!.role).toBe('alert')
    expect(await tab.page.title()).toContain(texts.en.error)
  })

  test('moves to the alert without JavaScript as well, and says why number and code are empty', async () => {
    const tab = await visit({}, { javascript: false })
    await fillCard(tab, { email: 'nobody' })
    expect(await tab.press(payLabel('en'))).toBe(422)
    expect((await focused(tab))!.role).toBe('alert')
    expect(await tab.text()).toContain('Please re-enter: Card number and Security code.')
    expect((await field(tab, 'expiry')).value).toBe('12/35')
  })
})
