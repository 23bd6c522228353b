import type { ErrorCode } from '#shared/domain/errors.ts'

/** What a merchant's developer does about each error code. The default sentence of the code stands before it. */
export const error_advice: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'Correct the syntax of the body, the query or the headers. The same request fails again.',
  unauthorized: 'Check that the key is complete, was not deleted, and is sent to the right service.',
  card_declined:
    'Ask the customer to use another card, or to contact their bank. Do not repeat the charge by yourself.',
  insufficient_funds: 'Ask the customer to use another card or payment method, or to try again later.',
  exceeds_limit: 'Ask the customer to use another card or payment method, or to raise the limit with their bank.',
  bad_verification_value: 'Ask the customer to type the verification value again.',
  card_expired: 'Ask the customer for the new card. For a stored card, replace the payment details of the customer.',
  invalid_number: 'Ask the customer to type the number again.',
  invalid_account: 'Ask the customer to use another payment method.',
  restricted_account: 'Ask the customer to contact their bank, or to use another payment method.',
  used_number: 'Ask the customer for a number that was not used before.',
  other_error: 'Offer another payment method. The field failure_code of the payment can tell more.',
  forbidden: 'Use another kind of key. If the message names the firewall, contact support with the request id.',
  not_found: 'An id that belongs to another merchant, or to the other mode, is not found either.',
  method_not_allowed: 'Use one of the methods in the header.',
  conflict: 'Read the resource, then decide whether the request is still needed.',
  idempotency_in_flight: 'The first request goes on. Its response will be the response to your repetition.',
  payload_too_large: 'Send less data, or a smaller file.',
  unsupported_media_type: 'Set the header Content-Type to the format of the body.',
  rate_limited: 'Spread your requests, and repeat refused ones with growing waits.',
  missing_parameter: 'The field param names the parameter. details.errors lists all faults of the request.',
  invalid_parameter: 'The field param names the parameter, and the message its rule. details.errors lists all faults.',
  invalid_token: 'A token can be used once.',
  invalid_currency: 'Use a currency that the payment type supports.',
  invalid_payment_type: 'GET /payment_methods lists the payment types that you can offer.',
  not_capturable: 'Read the payment: it may be captured already, or may have expired.',
  not_refundable:
    'Read its status and amount_refunded. For cash payments, send a refund request, which a person completes.',
  not_cancellable: 'Only a payment that is not captured can be cancelled. Refund a captured payment.',
  unprocessable_entity: 'The message says which rule the request breaks.',
  fraudulent: 'Do not repeat the charge. Contact the customer in another way if you trust the order.',
  idempotency_mismatch: 'The first request with the key stays as it is.',
  internal_server_error:
    'Repeat the request with the same idempotency key. If it fails again, contact support with the request id.',
  service_unavailable: 'Repeat the request with the same idempotency key after the seconds in the header Retry-After.',
  gateway_timeout:
    'Do not create a new payment. Repeat the request with the same idempotency key, or wait for the webhook that reports the outcome.',
}
