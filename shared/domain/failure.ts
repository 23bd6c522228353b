import { type DeclineCode, sentenceOf } from './errors.ts'

/** Why a payment failed, as `failure_code` of the payment shows it. */
export type FailureCode = DeclineCode | 'fraudulent' | OwnFailureCode

type OwnFailureCode = 'failed_authentication' | 'refused_by_customer' | 'never_arrived'

/** Why a capture of a subscription failed, as `last_failure` of the subscription shows it. */
export type CaptureFailureCode = FailureCode | 'no_payment_details' | 'cancelled'

const sentences: Readonly<Record<Exclude<CaptureFailureCode, DeclineCode | 'fraudulent'>, string>> = {
  failed_authentication: 'The customer did not pass 3-D Secure. Ask the customer to try again or to use another card.',
  refused_by_customer: 'The customer did not approve the payment at the provider. Offer another payment method.',
  never_arrived: 'The charge did not reach the provider, so nothing was charged. Create a new payment.',
  no_payment_details: 'The customer has no stored card. Store a card with PATCH /api/v1/customers/:id.',
  cancelled: 'The payment was cancelled before it was captured.',
}

/** Returns the sentence that explains a failure to a merchant. */
export const failureMessage = (code: CaptureFailureCode): string =>
  code in sentences ? sentences[code as keyof typeof sentences] : sentenceOf(code as DeclineCode)
