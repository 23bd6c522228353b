import type { Payment } from '#shared/domain/payment.ts'
import { type PaymentType, payment_type_rows, payment_types } from '#shared/domain/payment-details.ts'
import type { Locale, Session } from '#shared/domain/session.ts'
import type { HtmlPage } from '#shared/pages/html-page.ts'
import { instructionsPage } from '#shared/pages/last-pages/instructions-page.ts'
import { sessionEndPage } from '#shared/pages/last-pages/session-end-page.ts'
import { offSitePage } from '#shared/pages/off-site/off-site-page.ts'
import { secureTokenPage } from '#shared/pages/off-site/secure-token-page.ts'
import { problemPage } from '#shared/pages/problem-page.ts'
import { sessionPage } from '#shared/pages/session/session-page.ts'
import { sessionRecord } from '#test/fixtures/records.ts'

/** A session for the views: ¥1,000 and ¥100 tax, in a shop at shop.example. */
export function aSession(changes: Partial<Session> = {}): Session {
  return sessionRecord({
    return_url: 'https://shop.example/back',
    payment_types: [...payment_types],
    line_items: [{ amount: 1000, description: 'Tea', quantity: 1, image: null }],
    ...changes,
  })
}

/** A payment for the views, with a total of ¥1,290. */
export function aPayment(changes: Partial<Payment> = {}): Payment {
  return {
    id: 'pay_1',
    version: 1,
    status: 'authorized',
    amount: 1000,
    tax: 100,
    payment_method_fee: 190,
    total: 1290,
    currency: 'JPY',
    customer: null,
    session: 'ses_1',
    payment_deadline: '2026-01-04T14:59:59Z',
    payment_details: shownKonbini(),
    description: null,
    captured_at: null,
    external_order_num: null,
    metadata: {},
    created_at: '2026-01-01T00:00:00Z',
    amount_refunded: 0,
    locale: 'ja',
    refunds: [],
    refund_requests: [],
    occurrence: null,
    verified_by: null,
    capture: true,
    authorized_total: 1290,
    return_url: 'https://shop.example/back',
    webhooks: [],
    fraud_details: null,
    failure: null,
    in_flight: [],
    ...changes,
  }
}

/** The shown details of a payment at a convenience store. */
export const shownKonbini = (store = 'lawson') => ({
  type: 'konbini' as const,
  email: 'hanako@example.jp',
  store,
  confirmation_code: '64325812345',
  receipt: '80012345678',
})

/** The shown details of a card. */
export const shownCard = { type: 'credit_card' as const, email: null, brand: 'visa', last_four_digits: '0100' }

/** Payment types with their fees for the session above. */
export const methodsFor = (types: readonly PaymentType[]) =>
  types.map((type) => ({ type, fee: payment_type_rows[type].fee, total: 1100 + payment_type_rows[type].fee }))

/** The time at which the views are shown. */
export const NOW = Date.parse('2026-01-01T12:00:00Z')

/** Every page in every state with a look of its own. `text` replaces every text of a merchant or a customer. */
export function everyPage(locale: Locale, text = 'word', url = 'https://shop.example/back'): Record<string, HtmlPage> {
  const item = { amount: 500, description: text, quantity: 2, image: text }
  const session = aSession({
    email: text,
    return_url: url,
    merchant_name: text,
    external_order_num: text,
    metadata: { [text]: text },
    line_items: Array.from({ length: 8 }, () => item),
  })
  const typed = { name: text, email: text, family_name: text, given_name_kana: text, phone: text, store: text }
  const form = { session, locale, sandbox: true, typed, now: 0 }
  const cash = aPayment({
    payment_details: { ...shownKonbini(), email: text, receipt: text },
    description: text,
    external_order_num: text,
  })
  const bank = { ...cash, payment_details: { type: 'bank_transfer' as const, email: text, bank_name: text } }
  const pay_easy = { ...cash, payment_details: { type: 'pay_easy' as const, email: text, customer_id: text } }
  const wallet = aPayment({
    ...{ status: 'pending', payment_details: { type: 'paypay', email: text }, external_order_num: text },
  })
  const card = aPayment({ status: 'pending', payment_details: { ...shownCard, last_four_digits: text } })
  const paid = { ...card, status: 'captured' as const, captured_at: '2026-01-01T11:59:00Z', external_order_num: text }
  const end = { session, locale, now: NOW, sandbox: true }
  const page_url = 'https://pages.example/pages/instructions/m/pay_1'
  const cash_page = { locale, now: NOW, page_url, shop_name: text, back_url: url }
  const token = { locale, amount: 1050, currency: 'USD', shown: shownCard }
  return {
    session: sessionPage({ ...form, methods: methodsFor(payment_types) }),
    single: sessionPage({ ...form, methods: methodsFor(['credit_card']) }),
    faulty: sessionPage({
      ...form,
      methods: methodsFor(payment_types),
      chosen: 'konbini',
      faults: { store: 'missing', email: 'invalid' },
    }),
    faulty_card: sessionPage({
      ...form,
      methods: methodsFor(['credit_card', 'bank_transfer']),
      chosen: 'credit_card',
      faults: {
        number: 'missing',
        expiry: 'invalid',
        verification_value: 'invalid',
        name: 'missing',
        email: 'invalid',
      },
    }),
    declined: sessionPage({
      ...form,
      methods: methodsFor(payment_types),
      chosen: 'bank_transfer',
      declined: text,
    }),
    customer: sessionPage({
      ...form,
      session: { ...session, mode: 'customer', amount: null, currency: null, tax: 0, line_items: [] },
      methods: [{ type: 'credit_card', fee: 0, total: 0 }],
    }),
    completed: sessionEndPage({ ...end, payment: paid, state: 'completed', continue_to: url }),
    completed_earlier: sessionEndPage({
      ...{ ...end, session: { ...session, completed_at: '2026-01-01T00:00:00Z' } },
      ...{ payment: { ...paid, amount_refunded: 90 }, state: 'completed', continue_to: url },
    }),
    reserved: sessionEndPage({
      ...end,
      payment: cash,
      state: 'completed',
      continue_to: url,
      instructions_url: page_url,
    }),
    cancelled: sessionEndPage({ ...end, state: 'cancelled', continue_to: url }),
    expired: sessionEndPage({ ...end, state: 'expired' }),
    exhausted: sessionEndPage({ ...end, state: 'exhausted', continue_to: url }),
    processing: sessionEndPage({ ...end, state: 'processing' }),
    off_site: offSitePage({ sandbox: true, payment: wallet, locale, now: NOW }),
    off_site_card: offSitePage({ sandbox: true, payment: card, locale, now: NOW }),
    off_site_done: offSitePage({
      sandbox: true,
      payment: { ...wallet, status: 'failed' },
      locale,
      now: NOW,
      continue_to: url,
    }),
    off_site_paid: offSitePage({ sandbox: true, payment: { ...wallet, status: 'captured' }, locale, now: NOW }),
    secure_token: secureTokenPage({ ...token, status: 'NEEDS_VERIFY' }),
    secure_token_done: secureTokenPage({ ...token, status: 'OK', continue_to: url }),
    konbini: instructionsPage({ ...cash_page, payment: cash, sandbox: true }),
    bank_transfer: instructionsPage({ ...cash_page, payment: bank, sandbox: true }),
    pay_easy: instructionsPage({ ...cash_page, payment: pay_easy, sandbox: false }),
    paid: instructionsPage({ ...cash_page, payment: { ...cash, status: 'captured' }, sandbox: true }),
    problem: problemPage({ locale, problem: 'internal', request_id: text, again_url: page_url }),
  }
}

/** The tags of an HTML text with the names of their attributes, without values and content. */
export const tagsOf = (text: string): string[] =>
  Array.from(text.matchAll(/<[a-z!/][^>]*>/gi), ([tag]) => tag.replace(/"[^"]*"/g, '""'))

/** The values of an attribute in an HTML text, in document order. */
export const valuesOf = (text: string, attribute: string): string[] =>
  Array.from(text.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g')), ([, value]) => value!)
