import type { Locale } from '#shared/domain/session.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { card } from '#test/fixtures/api.ts'
import type { Checkout } from './browser-checkout.ts'
import { type Scene, scene } from './browser-scene.ts'
import { STAY } from './browser-shop.ts'

/** The sandbox pages of wallets and of 3-D Secure. */
export function offSitePages({ post, shop }: Checkout, locale: Locale): Scene[] {
  const pending = (payment_details: object) => async () => {
    const json = { amount: 9900, currency: 'JPY', locale, payment_details, return_url: `${shop.url}${STAY}` }
    return (await post('/payments', json)).payment_details.redirect_url as string
  }
  const wallet = pending({ type: 'paypay' })
  const card_payment = pending(card('4100000000000100'))
  const t = texts[locale]
  return [
    scene('off-site-wallet', wallet, locale),
    scene('off-site-wallet-approved', wallet, locale, t.approve),
    scene('off-site-wallet-declined', wallet, locale, t.decline),
    scene('3d-secure', card_payment, locale),
    scene('3d-secure-authenticated', card_payment, locale, t.authenticate),
    scene('3d-secure-failed', card_payment, locale, t.fail),
    scene('3d-secure-closed', card_payment, locale, t.close),
  ]
}

/** The 3-D Secure pages of secure tokens. */
export function secureTokenPages({ post, shop }: Checkout, locale: Locale): Scene[] {
  const opened = async () => {
    const json = { amount: 9900, currency: 'JPY', payment_details: card('4100000000000100') }
    return (await post('/secure_tokens', { ...json, return_url: `${shop.url}${STAY}` })).authentication_url as string
  }
  return [
    scene('secure-token', opened, locale),
    scene('secure-token-authenticated', opened, locale, texts[locale].authenticate),
    scene('secure-token-failed', opened, locale, texts[locale].fail),
    scene('secure-token-closed', opened, locale, texts[locale].close),
  ]
}

/** The details that a bank transfer and Pay-easy need. */
export const person = {
  email: 'hanako@example.com',
  phone: '0312345678',
  family_name: '山田',
  given_name: '花子',
  family_name_kana: 'ヤマダ',
  given_name_kana: 'ハナコ',
}

const stores = ['seven-eleven', 'lawson', 'family-mart', 'ministop', 'daily-yamazaki', 'seicomart']

/** The instructions for payments in cash. */
export function instructions({ post }: Checkout, locale: Locale): Scene[] {
  const reserved = (payment_details: object) => async () => {
    const json = { amount: 9900, currency: 'JPY', locale, payment_details: { ...payment_details, ...person } }
    return (await post('/payments', json)).payment_details.instructions_url as string
  }
  return [
    ...stores.map((store) => scene(`instructions-${store}`, reserved({ type: 'konbini', store }), locale)),
    scene('instructions-pay-easy', reserved({ type: 'pay_easy' }), locale),
    scene('instructions-bank-transfer', reserved({ type: 'bank_transfer' }), locale),
    scene('instructions-paid', reserved({ type: 'konbini', store: 'lawson' }), locale, texts[locale].simulate),
  ]
}

/** The instructions of an expired cash payment. Advances the clock. */
export function expiredInstructions({ post, api }: Checkout, locale: Locale): Scene {
  const url = async () => {
    const payment_details = { type: 'konbini', store: 'lawson', ...person }
    const payment = await post('/payments', { amount: 9900, currency: 'JPY', locale, payment_details })
    await api.advance(5 * 86_400)
    return payment.payment_details.instructions_url
  }
  return scene('instructions-expired', url, locale)
}
