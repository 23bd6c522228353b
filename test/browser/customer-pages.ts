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

/** Every page in every state with a look of its own. `text` replaces every text of a merchant or a customer. */
export function everyPage(locale: Locale, text = 'word', url = 'https://shop.example/back'): Record<string, HtmlPage> {
  const item = { amount: 500, description: text, quantity: 2, image: text }
  const session = aSession({
    email: text,
    return_url: url,
    external_order_num: text,
    metadata: { [text]: text },
    line_items: Array.from({ length: 8 }, () => item),
  })
  const typed = { name: text, email: text, family_name: text, given_name_kana: text, phone: text, store: text }
  const form = { session, locale, sandbox: true, typed, now: 0 }
  const cash = aPayment({ payment_details: { ...shownKonbini(), email: text, receipt: text }, description: text })
  const bank = { ...cash, payment_details: { type: 'bank_transfer' as const, email: text, bank_name: text } }
  const pay_easy = { ...cash, payment_details: { type: 'pay_easy' as const, email: text, customer_id: text } }
  const wallet = aPayment({ status: 'pending', payment_details: { type: 'paypay', email: text } })
  const card = aPayment({ status: 'pending', payment_details: { ...shownCard, last_four_digits: text } })
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
    completed: sessionEndPage({ session, locale, state: 'completed', continue_to: url }),
    reserved: sessionEndPage({
      session,
      locale,
      state: 'completed',
      continue_to: url,
      instructions_url: 'https://pages.example/pages/instructions/m/pay_1',
    }),
    cancelled: sessionEndPage({ session, locale, state: 'cancelled', continue_to: url }),
    expired: sessionEndPage({ session, locale, state: 'expired' }),
    processing: sessionEndPage({ session, locale, state: 'processing' }),
    off_site: offSitePage({ payment: wallet, locale }),
    off_site_card: offSitePage({ payment: card, locale }),
    off_site_done: offSitePage({ payment: { ...wallet, status: 'failed' }, locale, continue_to: url }),
    secure_token: secureTokenPage({ ...token, status: 'NEEDS_VERIFY' }),
    secure_token_done: secureTokenPage({ ...token, status: 'OK', continue_to: url }),
    konbini: instructionsPage({ payment: cash, locale, sandbox: true, back_url: url }),
    bank_transfer: instructionsPage({ payment: bank, locale, sandbox: true, back_url: url }),
    pay_easy: instructionsPage({ payment: pay_easy, locale, sandbox: false, back_url: url }),
    paid: instructionsPage({ payment: { ...cash, status: 'captured' }, locale, sandbox: true, back_url: url }),
    problem: problemPage({ locale, problem: 'internal', request_id: text, again_url: 'https://pages.example/' }),
  }
}

/** The tags of an HTML text with the names of their attributes, without values and content. */
export const tagsOf = (text: string): string[] =>
  Array.from(text.matchAll(/<[a-z!/][^>]*>/gi), ([tag]) => tag.replace(/"[^"]*"/g, '""'))

/** The values of an attribute in an HTML text, in document order. */
export const valuesOf = (text: string, attribute: string): string[] =>
  Array.from(text.matchAll(new RegExp(`\\s${attribute}="([^"]*)"`, 'g')), ([, value]) => value!)
