import type { Subscription } from '#shared/domain/subscription.ts'

/** A subscription as it is kept: 1,000 JPY a month, made at noon of 31 January 2030 in Japan and waiting for its first capture. */
export function subscriptionRecord(fields: Partial<Subscription> = {}): Subscription {
  return {
    id: 'sub_1',
    version: 0,
    status: 'pending',
    amount: 1000,
    currency: 'JPY',
    period: 'monthly',
    customer: {
      number: 7,
      merchant_number: 8,
      uuid: 'cus_1',
      created_at: '2030-01-30T03:00:00Z',
      updated_at: '2030-01-30T03:00:00Z',
      email: 'taro@example.com',
      currency: null,
      metadata: {},
    },
    payment_details: { type: 'credit_card', month: 12, year: 2035, email: 'taro@example.com' },
    interval: 0,
    tries: 0,
    retry_count: 0,
    retry_at: null,
    not_before: null,
    in_flight: null,
    payments: [],
    metadata: {},
    created_at: '2030-01-31T03:00:00Z',
    ended_at: null,
    ...fields,
  }
}
