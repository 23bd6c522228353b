import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#shared/domain/errors.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import { nextPage, nextUrl } from '#shared/sessions/next-url.ts'
import type { PaidSession } from '#shared/sessions/session-payment.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { paymentRecord, sessionRecord } from '#test/fixtures/records.ts'

let service: Api
let session_page: string
beforeAll(async () => {
  service = await openApi()
  session_page = `https://api.example/pages/sessions/${service.test.id}/ses_1`
})
afterAll(() => service.close())

const page = 'https://api.example/pages/off_site/mer_1/pay_1'
const off_site = { type: 'paypay', email: null, redirect_url: page } as const
const instructions_url = 'https://api.example/pages/instructions/mer_1/pay_1'
const cash = { type: 'konbini', email: null, instructions_url } as const

const completed = sessionRecord({ status: 'completed' })
const no_return_url = sessionRecord({ status: 'completed', return_url: null })
const back = 'https://shop.example.com/done?session_id=ses_1'
const unpaid = { payment: undefined, declined: null }
const of = (fields: Partial<PaidSession>): PaidSession => ({ session: sessionRecord(), ...unpaid, ...fields })

const waiting = paymentRecord({ status: 'pending', payment_details: off_site })
const reserved = paymentRecord({ status: 'authorized', payment_details: cash })

describe('nextUrl', () => {
  test('is null after a decline, even if the payment has a redirect URL', () => {
    expect(nextUrl(service.work(), of({ payment: waiting, declined: new Refusal('card_declined') }))).toBe(null)
  })

  test('is the return URL once the session is completed', () => {
    expect(nextUrl(service.work(), of({ session: completed, payment: paymentRecord() }))).toBe(back)
    expect(nextUrl(service.work(), of({ session: completed }))).toBe(back)
  })

  test('is the instructions page until cash is paid, and the return URL afterwards', () => {
    expect(nextUrl(service.work(), of({ session: completed, payment: reserved }))).toBe(instructions_url)
    expect(nextUrl(service.work(), of({ session: completed, payment: { ...reserved, status: 'captured' } }))).toBe(back)
  })

  test('without a return URL, is the instructions page for cash, or else the session page', () => {
    expect(nextUrl(service.work(), of({ session: no_return_url, payment: reserved }))).toBe(instructions_url)
    expect(nextUrl(service.work(), of({ session: no_return_url, payment: paymentRecord() }))).toBe(session_page)
    expect(nextUrl(service.work(), of({ session: no_return_url }))).toBe(session_page)
  })

  test('is the redirect URL while the payment waits for the customer, and otherwise the session page', () => {
    expect(nextUrl(service.work(), of({ payment: waiting }))).toBe(page)
    expect(nextUrl(service.work(), of({ payment: paymentRecord({ status: 'pending' }) }))).toBe(session_page)
    expect(nextUrl(service.work(), of({ payment: { ...waiting, status: 'cancelled' } }))).toBe(session_page)
  })
})

describe('nextPage', () => {
  const next = (fields: Partial<PaidSession>) => nextPage(service.work(), of(fields), 'ko')

  test('is the instructions page, or the page of the sandbox, in the language of the customer', () => {
    expect(next({ session: completed, payment: reserved })).toBe(
      `${pageUrl(service.work(), 'instructions', reserved.id)}?locale=ko`,
    )
    expect(next({ payment: waiting })).toBe(`${pageUrl(service.work(), 'off_site', waiting.id)}?locale=ko`)
  })

  test('is the session page otherwise', () => {
    const paid = { ...reserved, status: 'captured' } as const
    for (const payment of [undefined, paymentRecord(), paid, { ...waiting, status: 'failed' } as const])
      expect(next({ payment })).toBe(`${session_page}?locale=ko`)
  })

  test('is a page of ours, and not that of the provider, while the customer has to approve a payment there', () => {
    const redirect_url = 'https://provider.example/approve'
    const payment = paymentRecord({
      provider: 'stripe',
      status: 'pending',
      payment_details: { ...off_site, redirect_url },
    })
    expect(next({ payment })).toBe(`${pageUrl(service.work(), 'off_site', payment.id)}?locale=ko`)
    expect(next({ payment: { ...payment, status: 'failed' } })).toBe(`${session_page}?locale=ko`)
  })

  test('is never a page of another site at the sandbox, whatever it answered', () => {
    const redirect_url = 'https://evil.example/pages/off_site/mer_1/pay_1'
    const payment = paymentRecord({ status: 'pending', payment_details: { ...off_site, redirect_url } })
    expect(next({ payment })).toBe(`${pageUrl(service.work(), 'off_site', payment.id)}?locale=ko`)
    const live = service.work({ mode: 'live', platform: { ...service.platform, live_acquirer: 'none' } })
    expect(nextPage(live, of({ payment }), 'ko')).toBe(`${session_page}?locale=ko`)
  })
})
