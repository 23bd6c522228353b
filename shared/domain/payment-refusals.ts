import { Refusal } from './errors.ts'
import type { Payment } from './payment.ts'
import { payment_type_rows } from './payment-details.ts'

/** Refuses to capture a payment. The message names its status and its type. */
export const notCapturable = ({ status, payment_details: { type } }: Payment): Refusal =>
  new Refusal('not_capturable', {
    message: `This ${type} payment is ${status}. Only a credit_card payment with status authorized can be captured.`,
  })

/**
 * Refuses that the customer pays. The message names the status of the payment, and says if the customer has paid.
 */
export const notPayable = ({ status, payment_details: { type } }: Payment): Refusal =>
  new Refusal('not_capturable', {
    message:
      status === 'captured'
        ? 'The payment is captured: it is already paid.'
        : `This ${type} payment is ${status}. It does not wait for its customer.`,
  })

/**
 * Refuses to cancel a payment. The message names its status, and the endpoint that returns the money of a captured one.
 */
export const notCancellable = ({ status, payment_details: { type } }: Payment): Refusal =>
  new Refusal('not_cancellable', {
    message: `The payment is ${status}. Only a pending or authorized payment can be cancelled${
      status === 'captured' ? `; return its money with POST /payments/:id/${refundEndpoint(type)}` : ''
    }.`,
  })

/**
 * Refuses a refund or a refund request. The message names the status of the payment, or the endpoint that returns the
 * money of its payment type.
 */
export const notRefundable = ({ status, payment_details: { type } }: Payment): Refusal =>
  new Refusal('not_refundable', {
    message:
      status === 'captured'
        ? `Return the money of a ${type} payment with POST /payments/:id/${refundEndpoint(type)}.`
        : `The payment is ${status}. Only a captured payment can be refunded.`,
  })

/** Refuses a refund of a payment whose money the cardholder disputes. */
export const notRefundableInDispute = ({ id }: Payment): Refusal =>
  new Refusal('not_refundable', {
    message: 'The cardholder disputes the payment at their bank. It cannot be refunded while the dispute is open.',
    details: { payment: id },
  })

const refundEndpoint = (type: Payment['payment_details']['type']) =>
  payment_type_rows[type].refundable ? 'refund' : 'refund_request'

/** Returns the sentence that refuses a refund above what is left of a payment, in the smallest unit of its currency. */
export const atMost = (left: number, { currency, refund_requests }: Payment): string =>
  `At most ${left} ${currency} can be refunded, in the smallest unit of the currency. Refunds already made${
    refund_requests.some(({ status }) => status === 'pending') ? ' and pending refund requests' : ''
  } are deducted.`
