import { type DeclineCode, decline_codes, sentenceOf } from './errors.ts'

/** Why a payment failed, as `failure_code` of the payment shows it. */
export const failure_codes = [
  ...decline_codes,
  'fraudulent',
  'failed_authentication',
  'refused_by_customer',
  'never_arrived',
] as const

export type FailureCode = (typeof failure_codes)[number]

/** Why a capture of a subscription failed, as `last_failure` of the subscription shows it. */
export const capture_failure_codes = [...failure_codes, 'no_payment_details', 'cancelled'] as const

export type CaptureFailureCode = (typeof capture_failure_codes)[number]

/** A decline of the acquirer, which is an error code as well. */
type AcquirerCode = DeclineCode | 'fraudulent'

const sentences: Readonly<Record<Exclude<CaptureFailureCode, AcquirerCode>, string>> = {
  failed_authentication: 'The customer did not pass 3-D Secure. Ask the customer to try again or to use another card.',
  refused_by_customer: 'The customer did not approve the payment at the provider. Offer another payment method.',
  never_arrived: 'The charge did not reach the provider, so nothing was charged. Create a new payment.',
  no_payment_details: 'The customer has no stored card. Store a card with PATCH /api/v1/customers/:id.',
  cancelled:
    'The payment was cancelled before it was captured. Delete the subscription if no further try shall follow.',
}

/** Returns the sentence that explains a failure to a merchant. */
export const failureMessage = (code: CaptureFailureCode): string =>
  isFromAcquirer(code) ? sentenceOf(code) : sentences[code]

/** Returns the error code of a failed charge. A failure that is not a decline of the acquirer has `other_error`. */
export const errorCodeOf = (code: FailureCode): AcquirerCode => (isFromAcquirer(code) ? code : 'other_error')

const isFromAcquirer = (code: CaptureFailureCode): code is AcquirerCode => !Object.hasOwn(sentences, code)
