/** Why a card network or a provider declined. */
export const decline_codes = [
  'card_declined',
  'insufficient_funds',
  'exceeds_limit',
  'bad_verification_value',
  'card_expired',
  'invalid_number',
  'invalid_account',
  'restricted_account',
  'used_number',
  'other_error',
] as const

export type DeclineCode = (typeof decline_codes)[number]

/** Every code that an error response can have. `shared/http/answers.ts` maps each code to its HTTP status. */
export const error_codes = [
  'bad_request',
  'unauthorized',
  ...decline_codes,
  'forbidden',
  'not_found',
  'method_not_allowed',
  'conflict',
  'idempotency_in_flight',
  'payload_too_large',
  'unsupported_media_type',
  'rate_limited',
  'missing_parameter',
  'invalid_parameter',
  'invalid_token',
  'invalid_currency',
  'invalid_payment_type',
  'not_capturable',
  'not_refundable',
  'not_cancellable',
  'unprocessable_entity',
  'fraudulent',
  'idempotency_mismatch',
  'internal_server_error',
  'service_unavailable',
  'gateway_timeout',
] as const

export type ErrorCode = (typeof error_codes)[number]

/** One fault of a request. `param` is the path of the parameter in form notation: `payment_details[number]`. */
export interface Fault {
  readonly code: ErrorCode
  readonly message: string
  readonly param: string
}

/** What an error response adds to its code. */
export interface ErrorDetails {
  /** All faults of the request. */
  readonly errors?: readonly Fault[]
  /** The id of the payment that failed, or whose outcome is not known yet. */
  readonly payment?: string
}

/** The details of a refusal besides its code. */
export interface RefusalDetails {
  /** The path of the offending parameter in form notation: `payment_details[number]`. */
  readonly param?: string
  readonly details?: ErrorDetails
  /** After how many whole seconds the same request can succeed. */
  readonly retry_after_seconds?: number
  /** A sentence that can be shown to a merchant. Absent: the default sentence of the code. */
  readonly message?: string
}

/**
 * A refusal of a request, with a typed code. Decisions throw it, and `shared/http` turns it into the error response.
 */
export class Refusal extends Error {
  override readonly name = 'Refusal'
  readonly code: ErrorCode
  readonly param: string | null
  readonly details: ErrorDetails | null
  readonly retry_after_seconds: number | null
  constructor(code: ErrorCode, { param, details, retry_after_seconds, message }: RefusalDetails = {}) {
    super(message ?? sentences[code])
    this.code = code
    this.param = param ?? null
    this.details = details ?? null
    this.retry_after_seconds = retry_after_seconds ?? null
  }
}

/** Returns the default sentence of a code, for merchants. Customers read the texts of the pages instead. */
export const sentenceOf = (code: ErrorCode): string => sentences[code]

/** The default sentence of each code. It says what to do. */
const sentences: Readonly<Record<ErrorCode, string>> = {
  bad_request: 'The request could not be read. Check its URL, headers and body, then send it again.',
  unauthorized: 'No valid API key was given. Send your secret key as the user name of HTTP Basic authentication.',
  card_declined: 'The card was declined. Ask the customer for another card, or to call the issuer of the card.',
  insufficient_funds: 'The card has insufficient funds. Ask the customer for another card or payment method.',
  exceeds_limit:
    'The amount exceeds the limit of the card. Ask the customer for another card, or to call the issuer of the card.',
  bad_verification_value:
    'The verification value of the card is wrong. Ask the customer to check the code on the card and to enter it again.',
  card_expired: 'The card has expired. Ask the customer for another card.',
  invalid_number: 'The number is not valid. Ask the customer to check the number, or to use another card.',
  invalid_account:
    'The account is not valid. Ask the customer to check its number and password, or to pay in another way.',
  restricted_account: 'The account is restricted. Ask the customer to call its provider, or to pay in another way.',
  used_number: 'This number has been used already. Ask the customer for another number.',
  other_error:
    'The provider could not process the payment. Try again later, or ask the customer for another payment method.',
  forbidden: 'This key may not be used for this request. Use a secret key (sk_test_… or sk_live_…) from your server.',
  not_found:
    'No such resource was found. Check its id, and that the API key belongs to the same merchant and mode (test or live).',
  method_not_allowed: 'This method is not allowed here. The header Allow lists the methods of this path.',
  conflict: 'The resource was changed by another request at the same time. Please try again.',
  idempotency_in_flight:
    'A request with this idempotency key is still being processed. Repeat it with the same key after the seconds in Retry-After.',
  payload_too_large: 'The request body is too large. Send at most 1 MB, and files of at most 4 MB.',
  unsupported_media_type:
    'The content type of the request is not supported. Send application/json, application/x-www-form-urlencoded or multipart/form-data in UTF-8; a file needs multipart/form-data.',
  rate_limited: 'Too many requests. Try again after the seconds in the header Retry-After.',
  missing_parameter: 'A required parameter is missing. Send the parameter that param names.',
  invalid_parameter: 'A parameter is not valid. Correct the parameter that param names.',
  invalid_token:
    'The token is unknown, expired or already used. Create a new token for each use, with a key of the same mode.',
  invalid_currency: 'The currency is not supported here. Send a currency that the payment type takes, such as JPY.',
  invalid_payment_type:
    'The payment type is not supported here. GET /api/v1/payment_methods lists the types that you can use.',
  not_capturable: 'The payment cannot be captured. Only a card payment with status authorized can be.',
  not_refundable:
    'The payment cannot be refunded. Only a captured payment can be: by card or wallet with refund, otherwise with refund_request.',
  not_cancellable:
    'The payment cannot be cancelled. Only a payment with status pending or authorized can be; refund a captured one.',
  unprocessable_entity:
    'The request could not be processed. GET the resources that it names, check their status, then change the request.',
  fraudulent:
    'The payment was refused as suspected fraud. Do not tell the customer the reason, and do not retry automatically.',
  idempotency_mismatch:
    'This idempotency key was used before with a different request. Use a new key for a new request, and the same key only to repeat one.',
  internal_server_error:
    'Something went wrong on our side. Repeat the request with the same Idempotency-Key; if it fails again, send us the request_id.',
  service_unavailable:
    'The service is not available at the moment. Repeat the request later with the same Idempotency-Key.',
  gateway_timeout:
    'The outcome is not known yet. GET the payment that details.payment names, and retry only with the same Idempotency-Key.',
}
