import type { AttemptOutcome, Delivery } from '#shared/domain/delivery.ts'
import type { Webhook } from '#shared/domain/webhook.ts'

/** A delivery as it is kept: of a payment's capture to a webhook of the merchant, not tried yet, unless `fields` say otherwise. */
export function deliveryRecord(fields: Partial<Delivery> = {}): Delivery {
  return {
    id: 'dlv_1',
    version: 1,
    event: 'evt_1',
    event_type: 'payment.captured',
    webhook: 'whk_1',
    payment: 'pay_1',
    entry: null,
    url: 'https://shop.example/hook',
    status: 'pending',
    next_attempt_at: '2030-01-02T03:00:00Z',
    created_at: '2030-01-02T03:00:00Z',
    attempts_made: 0,
    tries: 0,
    first_attempt_at: null,
    failed_at: null,
    lease: null,
    ...fields,
  }
}

/** A webhook as it is kept: active, without a secret, for captures alone. */
export function webhookRecord(fields: Partial<Webhook> = {}): Webhook {
  return {
    id: 'whk_1',
    version: 1,
    url: 'https://shop.example/hook',
    active: true,
    event_list: ['payment.captured'],
    secret: null,
    recovery: null,
    created_at: '2030-01-02T03:00:00Z',
    ...fields,
  }
}

/** What came of an attempt that was answered with this status, or got no answer. */
export function attemptOutcome(answered: number | NonNullable<AttemptOutcome['error']>): AttemptOutcome {
  return typeof answered === 'number'
    ? { status_code: answered, latency_ms: 12, response_body: '', error: null }
    : { status_code: null, latency_ms: 12, response_body: null, error: answered }
}
