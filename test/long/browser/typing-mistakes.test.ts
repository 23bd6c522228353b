import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type PaymentType, payment_type_rows } from '#shared/domain/payment-details.ts'
import { money } from '#shared/pages/money.ts'
import { type FieldName, field_inputs, form_fields } from '#shared/pages/session/payment-form.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { type Checkout, openCheckout } from '#test/browser/browser-checkout.ts'
import { buttonOf, chooseIn, fieldOf, fillMethod, textFieldsOf, typed_texts } from '#test/browser/browser-methods.ts'
import type { Tab } from '#test/browser/browser-tab.ts'

/** These tests make one mistake in each field of each payment form. Everything else that was typed must stay. */

const openTab = useBrowser()
let checkout: Checkout
beforeAll(async () => {
  checkout = await openCheckout()
})
afterAll(() => checkout?.close())

/** A mistake in each text field. A field without an entry is left empty, because every text is valid there. */
const mistakes: Readonly<Partial<Record<FieldName, string>>> = {
  number: '4111111111111112',
  expiry: '12/29',
  verification_value: '12',
  email: 'hanako@example',
  phone: '090-12',
  family_name_kana: 'Yamada',
  given_name_kana: 'Hanako',
}

/** One payment type for each form. */
const forms: readonly PaymentType[] = [
  ...(['credit_card', 'konbini', 'bank_transfer', 'bit_cash'] as const),
  ...(['paysafe_cash', 'japan_mobile', 'retailer_account'] as const),
]

test('every form with fields is tested', () => {
  const tested = forms.map((type) => String(form_fields[type]))
  const all = Object.values(form_fields).map(String).filter(Boolean)
  expect(all.filter((fields) => !tested.includes(fields))).toEqual([])
})

const plain = (text: string) => text.replaceAll(' ', '')
const valueIn = async (tab: Tab, name: FieldName) => plain((await tab.find(fieldOf(name))).value)
const chosenIn = async (tab: Tab) =>
  (await tab.elements()).filter(({ checked, role }) => checked && role === 'radio').map(({ name }) => name)
/** The value of a password is hidden from assistive technology. */
const SECRETS = Object.keys(field_inputs).filter((name) => field_inputs[name as FieldName].secret)

describe.each([
  { with_what: 'with JavaScript', javascript: true },
  { with_what: 'without JavaScript', javascript: false },
])('a mistake $with_what', ({ javascript }) => {
  test.each(forms)('in a field of %s empties no other field, and the corrected form pays', async (type) => {
    const button = buttonOf(type, money(1000 + payment_type_rows[type].fee, 'JPY', 'en'))
    const session = await checkout.newSession({ payment_types: [type], return_url: null })
    const tab = await openTab({ javascript })
    await tab.visit(session.session_url)
    const names = textFieldsOf(type)
    await tab.fillAll(names.map((name) => [fieldOf(name), typed_texts[name]!]))
    const chooses = names.length < form_fields[type].length
    if (chooses) {
      expect(await tab.press(button)).toBe(422)
      for (const name of names) expect([name, await valueIn(tab, name)]).toEqual([name, plain(typed_texts[name]!)])
      await chooseIn(tab, type)
    }
    for (const wrong of names) {
      await fillMethod(tab, type, 'en', { [wrong]: mistakes[wrong] ?? '' })
      expect([wrong, await tab.press(button)]).toEqual([wrong, 422])
      const { missing, invalid } = texts.en.fields[wrong]
      expect((await tab.find(fieldOf(wrong))).description).toContain(mistakes[wrong] ? invalid : missing)
      expect((await chosenIn(tab)).length).toBe(chooses ? 1 : 0)
      for (const name of names) {
        const typed = plain((name === wrong ? mistakes[name] : typed_texts[name]) ?? '')
        const value = await valueIn(tab, name)
        if (!javascript && SECRETS.includes(name)) expect([wrong, name, value]).toEqual([wrong, name, ''])
        else expect([wrong, name, value]).toEqual([wrong, name, name === 'user_password' ? dots(typed) : typed])
      }
    }
    expect(await checkout.statusesOf(session.id)).toEqual([])
    await fillMethod(tab, type)
    expect(await tab.press(button)).toBe(200)
    expect(await checkout.statusesOf(session.id)).toHaveLength(1)
  })
})

/** A password as assistive technology reads it. */
const dots = (text: string) => '•'.repeat(text.length)
