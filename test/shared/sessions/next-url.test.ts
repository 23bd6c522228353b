import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Refusal } from '#shared/domain/errors.ts'
import { pageUrl } from '#shared/domain/page-url.ts'
import { nextPage, nextUrl } from '#shared/sessions/next-url.ts'
import type { PaidSession } from '#shared/sessions/session-payment.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { paymentRecord, sessionRecord } from '#test/fixtures/records.ts'

let service: Api
let ours: string
beforeAll(async () => {
  service = await openApi()
  ours = `https://api.example/pages/sessions/${service.test.id}/ses_1`
})
afterAll(() => service.close())

const page = 'https://api.example/pages/off_site/mer_1/pay_1'
const off_site = { type: 'paypay', email: null, redirect_url: page } as const
const instructions_url = 'https://api.example/pages/instructions/mer_1/pay_1'
const cash = { type: 'konbini', email: null, instructions_url } as const

const completed = sessionRecord({ status: 'completed' })
const nowhere = sessionRecord({ status: 'completed', return_url: null })
const back = 'https://shop.example.com/done?session_id=ses_1'
const unpaid = { payment: undefined, declined: null }
const of = (fields: Partial<PaidSession>): PaidSession => ({ session: sessionRecord(), ...unpaid, ...fields })

const waiting = paymentRecord({ status: 'pending', payment_details: off_site })
const reserved = paymentRecord({ status: 'authorized', payment_details: cash })

describe('where the API sends the customer of a session', () => {
  test('is nowhere after a decline, even where the payment had been elsewhere', () => {
    expect(nextUrl(service.work(), of({ payment: waiting, declined: new Refusal('card_declined') }))).toBe(null)
  })

  test('is back to the merchant when it is completed', () => {
    expect(nextUrl(service.work(), of({ session: completed, payment: reserved }))).toBe(back)
    expect(nextUrl(service.work(), of({ session: completed }))).toBe(back)
  })

  test('is how to pay in cash where the merchant named no place, else the page of the session', () => {
    expect(nextUrl(service.work(), of({ session: nowhere, payment: reserved }))).toBe(instructions_url)
    expect(nextUrl(service.work(), of({ session: nowhere, payment: paymentRecord() }))).toBe(ours)
    expect(nextUrl(service.work(), of({ session: nowhere }))).toBe(ours)
  })

  test('is elsewhere while the payment waits there, and nowhere else while its outcome is unknown', () => {
    expect(nextUrl(service.work(), of({ payment: waiting }))).toBe(page)
    expect(nextUrl(service.work(), of({ payment: paymentRecord({ status: 'pending' }) }))).toBe(ours)
    expect(nextUrl(service.work(), of({ payment: { ...waiting, status: 'cancelled' } }))).toBe(ours)
  })
})

describe('which page of ours the customer of a session sees next', () => {
  const next = (fields: Partial<PaidSession>) => nextPage(service.work(), of(fields), 'ko')

  test('is how to pay in cash, or where the sandbox waits, in their language', () => {
    expect(next({ session: completed, payment: reserved })).toBe(
      `${pageUrl(service.work(), 'instructions', reserved.id)}?locale=ko`,
    )
    expect(next({ payment: waiting })).toBe(`${pageUrl(service.work(), 'off_site', waiting.id)}?locale=ko`)
  })

  test('is the page of the session otherwise', () => {
    const paid = { ...reserved, status: 'captured' } as const
    for (const payment of [undefined, paymentRecord(), paid, { ...waiting, status: 'failed' } as const])
      expect(next({ payment })).toBe(`${ours}?locale=ko`)
  })

  test('is never the page of someone else, whatever an acquirer answered', () => {
    const redirect_url = 'https://evil.example/pages/off_site/mer_1/pay_1'
    const payment = paymentRecord({ status: 'pending', payment_details: { ...off_site, redirect_url } })
    expect(next({ payment })).toBe(`${pageUrl(service.work(), 'off_site', payment.id)}?locale=ko`)
    const live = service.work({ mode: 'live', platform: { ...service.platform, live_acquirer: 'none' } })
    expect(nextPage(live, of({ payment }), 'ko')).toBe(`${ours}?locale=ko`)
  })
})
