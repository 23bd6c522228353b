import type { Sample } from '../sample.ts'
import { requestSample } from './request-sample.ts'

/** Creates an account of the name `ACCOUNT_NAME`, which is unique in the service. */
export const create_account: Sample = requestSample({
  method: 'POST',
  path: '/accounts',
  body: { name: '$ACCOUNT_NAME', default_currency: 'JPY', time_zone: 'Asia/Tokyo' },
  result: 'account',
  prints: ['account.id', 'account.test_merchant', 'account.live_merchant'],
})

/** Records that the owner of the account `ACCOUNT` has accepted the service agreement. */
export const accept_agreement: Sample = requestSample({
  method: 'POST',
  path: '/accounts/$ACCOUNT/accept_service_agreement',
  body: {
    accepted_service_agreement_at: '2026-01-31T12:00:00+09:00',
    accepted_service_agreement_ip: '203.0.113.7',
  },
  result: 'account',
  prints: ['account.accepted_service_agreement_at'],
})

/** Sets the name and the color that customers of the account `ACCOUNT` see. */
export const brand_account: Sample = requestSample({
  method: 'PATCH',
  path: '/accounts/$ACCOUNT',
  body: { display_name: 'Blue Shop Kyoto', accent_color: '#0b5fff' },
  result: 'account',
  prints: ['account.display_name', 'account.accent_color'],
})

/** Pays 1000 yen to the merchant `MERCHANT` of an account. */
export const pay_as_merchant: Sample = requestSample({
  method: 'POST',
  path: '/payments',
  password: 'MERCHANT',
  body: { amount: 1000, currency: 'JPY', payment_details: '$TOKEN' },
  result: 'payment',
  prints: ['payment.id', 'payment.status'],
})

/** Makes a token for the merchant `MERCHANT` of an account. */
export const token_as_merchant: Sample = requestSample({
  method: 'POST',
  path: '/tokens',
  password: 'MERCHANT',
  body: {
    payment_details: { type: 'credit_card', number: '4111111111111111', month: 12, year: 2035, name: 'Taro Yamada' },
  },
  result: 'token',
  prints: ['token.id'],
})

/** Creates a secret key of the account `ACCOUNT`. */
export const create_key: Sample = requestSample({
  method: 'POST',
  path: '/accounts/$ACCOUNT/keys',
  body: { kind: 'secret' },
  result: 'key',
  prints: ['key.id', 'key.key'],
})

/** Replaces the key `KEY` of the account `ACCOUNT`. The old key stays valid for an hour. */
export const roll_key: Sample = requestSample({
  method: 'POST',
  path: '/accounts/$ACCOUNT/keys/$KEY/roll',
  body: { grace_seconds: 3600 },
  result: 'key',
  prints: ['key.id', 'key.key'],
})

/** Revokes the key `KEY` of the account `ACCOUNT` at once. */
export const revoke_key: Sample = requestSample({
  method: 'DELETE',
  path: '/accounts/$ACCOUNT/keys/$KEY',
  result: 'key',
  prints: ['key.revoked_at'],
})
