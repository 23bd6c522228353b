import { expect, test } from 'vitest'
import { type Account, merchantOf, newAccount, updateAccount } from '#shared/domain/account.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'

const fields = {
  ...{ id: 'acc_1', name: 'Shop', default_currency: 'JPY', time_zone: 'Asia/Tokyo' },
  ...{ live_merchant: 'mer_live', test_merchant: 'mer_test' },
}

const before: Account = {
  ...newAccount(fields, Date.parse('2029-01-01T00:00:00Z')),
  accepted_service_agreement_at: '2029-02-01T00:00:00Z',
  accepted_service_agreement_ip: '203.0.113.7',
}

test('a new account has not accepted the service agreement', () => {
  expect(newAccount(fields, NOW)).toEqual({
    ...fields,
    version: 0,
    accepted_service_agreement_at: null,
    accepted_service_agreement_ip: null,
    created_at: AT,
    updated_at: AT,
  })
})

test.each<[string, Partial<Account>]>([
  ['nothing', {}],
  ['the currency', { default_currency: 'KRW' }],
  ['the time zone', { time_zone: 'UTC' }],
  ['an earlier acceptance', { accepted_service_agreement_at: AT, accepted_service_agreement_ip: '2001:db8::1' }],
])('an update changes %s and keeps every other field', (_, named) => {
  expect(updateAccount(before, named, NOW)).toEqual({ ...before, ...named, updated_at: AT })
})

test('an account has one merchant in each mode', () => {
  expect([merchantOf(before, 'test'), merchantOf(before, 'live')]).toEqual(['mer_test', 'mer_live'])
})
