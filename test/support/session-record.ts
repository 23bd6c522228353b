import type { SecureToken } from '#shared/domain/secure-token.ts'
import type { Session } from '#shared/domain/session.ts'

/** A session as it is kept: 1,000 JPY and 100 tax by card, pending for a day, unless `fields` say otherwise. */
export function sessionRecord(fields: Partial<Session> = {}): Session {
  return {
    id: 'ses_1',
    version: 1,
    mode: 'payment',
    status: 'pending',
    amount: 1000,
    currency: 'JPY',
    tax: 100,
    capture: true,
    external_order_num: null,
    webhooks: [],
    return_url: 'https://shop.example.com/done',
    default_locale: 'ja',
    payment_types: ['credit_card'],
    email: null,
    line_items: [],
    metadata: {},
    payment: null,
    tries: 0,
    secure_token: null,
    customer_id: null,
    created_at: '2030-01-02T03:00:00Z',
    expires_at: '2030-01-03T03:00:00Z',
    completed_at: null,
    cancelled_at: null,
    ...fields,
  }
}

/** A secure token as it is kept: for 1,000 JPY by a card that asks for 3-D Secure, unless `fields` say otherwise. */
export function secureTokenRecord(fields: Partial<SecureToken> = {}): SecureToken {
  return {
    id: 'tok_1',
    version: 1,
    verification_status: 'NEEDS_VERIFY',
    needs_verification: true,
    amount: 1000,
    currency: 'JPY',
    return_url: 'https://shop.example.com/done',
    shown: { type: 'credit_card', email: null },
    expiry_days: null,
    sealed: 'c2VhbGVk',
    customer_card: null,
    created_at: '2030-01-02T03:00:00Z',
    expires_at: '2030-01-02T04:00:00Z',
    spent_by: null,
    ...fields,
  }
}
