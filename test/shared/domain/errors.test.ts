import { describe, expect, test } from 'vitest'
import { type ErrorCode, Refusal, sentenceOf } from '#shared/domain/errors.ts'

/** Words of the remedy in the default sentence of each code. */
const remedies: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'Check its URL, headers and body',
  unauthorized: 'Send your secret key',
  card_declined: 'call the issuer',
  insufficient_funds: 'another card or payment method',
  exceeds_limit: 'another card',
  bad_verification_value: 'check the code on the card',
  card_expired: 'another card',
  invalid_number: 'check the number',
  invalid_account: 'check its number and password',
  restricted_account: 'call its provider',
  used_number: 'another number',
  other_error: 'Try again later',
  forbidden: 'Use a secret key',
  not_found: 'Check its id',
  method_not_allowed: 'The header Allow lists',
  conflict: 'try again',
  idempotency_in_flight: 'Repeat it with the same key after',
  payload_too_large: 'Send at most 1 MB',
  unsupported_media_type: 'Send application/json',
  rate_limited: 'Try again after',
  missing_parameter: 'Send the parameter that param names',
  invalid_parameter: 'Correct the parameter that param names',
  invalid_token: 'Create a new token',
  invalid_currency: 'Send a currency',
  invalid_payment_type: 'GET /api/v1/payment_methods',
  not_capturable: 'status authorized',
  not_refundable: 'refund_request',
  not_cancellable: 'refund a captured one',
  unprocessable_entity: 'check their status',
  fraudulent: 'Do not tell the customer the reason',
  idempotency_mismatch: 'Use a new key',
  internal_server_error: 'the same Idempotency-Key; if it fails again, send us the request_id',
  service_unavailable: 'later with the same Idempotency-Key',
  gateway_timeout: 'GET the payment that details.payment names, and retry only with the same Idempotency-Key',
}

describe('the default sentence', () => {
  test.each(Object.entries(remedies) as [ErrorCode, string][])('of %s says what to do', (code, remedy) => {
    expect(sentenceOf(code)).toContain(remedy)
    expect(new Refusal(code).message).toBe(sentenceOf(code))
    expect(sentenceOf(code).split(/\.(?: |$)/).length - 1).toBeLessThanOrEqual(2)
  })
})
