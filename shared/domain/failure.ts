import { type DeclineCode, sentenceOf } from './errors.ts'

/** Why a payment failed, as `failure_code` of the payment shows it. */
export type FailureCode = AcquirerCode | OwnCode

/** Why a capture of a subscription failed, as `last_failure` of the subscription shows it. */
export type CaptureFailureCode = FailureCode | 'no_payment_details' | 'cancelled'

/** A decline of the acquirer, which is an error code as well. */
type AcquirerCode = DeclineCode | 'fraudulent'

type OwnCode = 'failed_authentication' | 'refused_by_customer' | 'never_arrived'

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
