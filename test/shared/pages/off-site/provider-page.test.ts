import { describe, expect, test } from 'vitest'
import { providerPage } from '#shared/pages/off-site/provider-page.ts'
import { checkout_texts } from '#shared/pages/texts/checkout-texts.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { aPayment, shownCard } from '#test/browser/customer-pages.ts'

const redirect_url = 'https://provider.example/approve?a=1&b=2'
const card = aPayment({ status: 'pending', payment_details: { ...shownCard, redirect_url } })
const wallet = aPayment({ status: 'pending', payment_details: { type: 'alipay', email: null, redirect_url } })

describe('providerPage', () => {
  test('sends the customer on to the provider at once, and has a link to it', () => {
    for (const payment of [card, wallet]) {
      const { continue_to, main } = providerPage({ payment, locale: 'en' })
      expect(continue_to).toBe(redirect_url)
      expect(String(main)).toContain(`href="${redirect_url.replace('&', '&amp;')}"`)
    }
  })

  test('says where the customer goes', () => {
    expect(providerPage({ payment: card, locale: 'ja' }).title).toBe(checkout_texts.ja.to_bank)
    expect(providerPage({ payment: wallet, locale: 'en' }).title).toBe(checkout_texts.en.to_site('Alipay'))
  })

  test.each([
    ['ja', 'ボタン', 'リンク'],
    ['en', 'button', 'link'],
    ['ko', '버튼', '링크'],
  ] as const)('names what the customer can press in %s, which looks like a button', (locale, button, link) => {
    const main = String(providerPage({ payment: card, locale }).main)
    expect(main).toContain('class="button"')
    expect([main.includes(button), main.includes(link)]).toEqual([true, false])
  })

  test.each(['javascript:alert(1)', 'app://open', ''])('sends nobody to %j', (url) => {
    const payment = { ...wallet, payment_details: { ...wallet.payment_details, redirect_url: url } }
    const { continue_to, title } = providerPage({ payment, locale: 'ko' })
    expect([continue_to, title]).toEqual([undefined, texts.ko.endings.processing.title])
  })

  test('sends nobody on to pay a payment that is being cancelled', () => {
    const operation = {
      operation: 'void',
      ...{ attempt: 2, amount: 1000, tax: 0, refund_id: null, description: null },
    } as const
    const { continue_to, title } = providerPage({ payment: { ...card, in_flight: [operation] }, locale: 'en' })
    expect([continue_to, title]).toEqual([undefined, texts.en.endings.processing.title])
  })
})
