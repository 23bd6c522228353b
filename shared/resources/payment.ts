import * as v from 'valibot'
import { failure_codes, failureMessage } from '#shared/domain/failure.ts'
import { type Payment, payment_statuses } from '#shared/domain/payment.ts'
import { type Locale, locales } from '#shared/domain/session.ts'
import {
  described,
  resourceName,
  shown_amount,
  shown_currency,
  shown_metadata,
  shown_timestamp,
  shownId,
} from './answer-fields.ts'
import { exactlyOne, meets } from './conditions.ts'
import {
  amount,
  boolean,
  clearable,
  currency,
  email,
  locale,
  optional,
  orNull,
  someOf,
  tax,
  text,
  url,
  withDefault,
} from './fields.ts'
import { list_fields } from './list.ts'
import { metadata, new_metadata } from './metadata.ts'
import { payment_details } from './payment-details.ts'
import { payment_webhooks } from './payment-webhook.ts'
import { RefundResource, refund } from './refund.ts'
import { RefundRequestResource, refund_request } from './refund-request.ts'
import { PaymentDetailsResource } from './shown-payment-details.ts'
import { viewOf } from './view.ts'

const description = text(2_000)
const external_order_num = text(255)

const fraud_details = v.pipe(
  v.object(
    {
      customer_ip: v.pipe(optional(text(1_024)), v.description("The IP address of the customer's device.")),
      customer_email: v.pipe(optional(email), v.description("The customer's e-mail address.")),
      browser_language: v.pipe(optional(text(1_024)), v.description("The language of the customer's browser.")),
      browser_user_agent: v.pipe(
        optional(text(1_024)),
        v.description("The `User-Agent` header of the customer's browser."),
      ),
    },
    'must be an object',
  ),
  v.transform((input) => {
    const given = Object.entries(input).filter((entry) => entry[1] !== undefined)
    return Object.fromEntries(given) as Record<string, string>
  }),
)

/**
 * The parameters that create a payment. Either `customer` or `payment_details` is required. Payment details as text are
 * the id of a token.
 */
export const CreatePayment = v.pipe(
  v.object({
    amount: v.pipe(
      amount,
      v.description('The amount before tax, in the smallest unit of the currency: 1050 is 10.50 USD or 1050 JPY.'),
    ),
    tax: v.pipe(
      v.optional(tax, 0),
      v.description(
        'The tax in the smallest unit of the currency, charged in addition to the amount. `auto` is 10 % of the amount, rounded down.',
      ),
    ),
    currency: v.pipe(currency, v.description('The currency of the payment, as an ISO 4217 code.')),
    customer: v.pipe(
      optional(text(255)),
      v.description('The id of a customer, whose stored payment details are charged. Send this or `payment_details`.'),
    ),
    payment_details: v.pipe(
      optional(payment_details),
      v.description(
        'How the customer pays: an object with a type, or the id of a token or of a verified secure token. Send this or `customer`.',
      ),
    ),
    capture: v.pipe(
      withDefault(boolean, true),
      v.description(
        'Whether a card is charged at once. False only authorizes the payment, to be captured later. Other payment types ignore it.',
      ),
    ),
    description: v.pipe(orNull(description), v.description('Text about the payment, for your own use.')),
    external_order_num: v.pipe(
      orNull(external_order_num),
      v.description('The number of the order in your own system.'),
    ),
    return_url: v.pipe(
      orNull(url),
      v.description(
        'The address to which the customer returns after paying or authenticating on another page. Without it, a page of the service says that the payment is done.',
      ),
    ),
    locale: v.pipe(
      withDefault(locale, 'ja'),
      v.description('The language of the pages that the customer sees during the payment.'),
    ),
    metadata,
    webhooks: v.pipe(
      withDefault(payment_webhooks, []),
      v.description("Webhooks of this payment alone, in addition to the merchant's webhooks. At most 10."),
    ),
    fraud_details: v.pipe(
      orNull(fraud_details),
      v.description('What is known about the customer, for the assessment of fraud. It is kept and never returned.'),
    ),
  }),
  v.metadata(meets(exactlyOne('payment_details', 'customer'))),
  v.forward(
    v.partialCheck(
      [['customer'], ['payment_details']],
      ({ customer, payment_details }) => customer !== undefined || payment_details !== undefined,
      'is required, unless customer is given',
    ),
    ['payment_details'],
  ),
  v.forward(
    v.partialCheck(
      [['customer'], ['payment_details']],
      ({ customer, payment_details }) => customer === undefined || payment_details === undefined,
      'must not be given together with customer: send one of the two',
    ),
    ['payment_details'],
  ),
)
export type CreatePayment = v.InferOutput<typeof CreatePayment>

/** The fields of a payment that a PATCH changes. An undefined field stays unchanged. */
export const UpdatePayment = v.object({
  description: v.pipe(clearable(description), v.description('The new text about the payment. Null removes it.')),
  metadata: new_metadata,
  external_order_num: v.pipe(
    clearable(external_order_num),
    v.description('The new number of the order in your own system. Null removes it.'),
  ),
})
export type UpdatePayment = v.InferOutput<typeof UpdatePayment>

/** The parameters of a capture. Without an amount, the whole authorized amount is captured. */
export const CapturePayment = v.object({
  amount: v.pipe(
    v.optional(amount),
    v.description(
      'The amount to capture before tax, in the smallest unit of the currency. Without it, the whole amount is captured. The rest is released.',
    ),
  ),
  tax: v.pipe(
    v.optional(tax),
    v.description(
      'The tax to capture, in the smallest unit of the currency, or `auto` for 10 % of the amount. Without it, the tax of the payment is kept. Amount and tax together must not exceed the authorized total.',
    ),
  ),
})
export type CapturePayment = v.InferOutput<typeof CapturePayment>

/** A cancellation takes no parameters. */
export const CancelPayment = v.object({})
export type CancelPayment = v.InferOutput<typeof CancelPayment>

/** The filters of a list of payments. */
export const ListPayments = v.object({
  status: v.pipe(
    optional(someOf(payment_statuses)),
    v.description('Lists only payments with this status, or with one of several statuses separated by commas.'),
  ),
  currency: v.pipe(optional(currency), v.description('Lists only payments in this currency.')),
  external_order_num: v.pipe(
    optional(external_order_num),
    v.description('Lists only payments with this number of an order.'),
  ),
  customer: v.pipe(optional(text(255)), v.description('Lists only payments of the customer with this id.')),
  subscription: v.pipe(optional(text(255)), v.description('Lists only payments of the subscription with this id.')),
  ...list_fields,
})
export type ListPayments = v.InferOutput<typeof ListPayments>

/** A payment as a merchant sees it. */
export const PaymentResource = described(
  v.strictObject({
    id: described(shownId('payment'), 'Id of the payment.'),
    resource: resourceName('payment'),
    status: described(
      v.picklist(payment_statuses),
      '`pending`: the customer must still act, or the outcome is not known yet. `authorized`: reserved, but not paid. `captured`: paid. `refunded`: returned in full. `cancelled`: you cancelled it. `expired`: not paid before its deadline. `failed`: declined.',
    ),
    amount: described(shown_amount, "Amount before tax, in the currency's smallest unit."),
    tax: described(shown_amount, "Tax, in the currency's smallest unit."),
    customer: described(v.nullable(shownId('customer')), 'Id of the customer whose stored card is charged, or null.'),
    payment_deadline: described(
      shown_timestamp,
      'Time in UTC at which a payment that is still `pending` or `authorized` expires. It is always 23:59:59 in Japan.',
    ),
    payment_details: PaymentDetailsResource,
    payment_method_fee: described(
      shown_amount,
      "Fee that the customer pays in addition for the payment method, in the currency's smallest unit.",
    ),
    total: described(
      shown_amount,
      "What the customer pays, in the currency's smallest unit: the sum of `amount`, `tax` and `payment_method_fee`.",
    ),
    currency: described(shown_currency, 'ISO 4217 code of the currency.'),
    description: described(v.nullable(v.string()), 'The description that you sent, or null.'),
    captured_at: described(
      v.nullable(shown_timestamp),
      'Time at which the payment was captured, in UTC. Null until then.',
    ),
    external_order_num: described(v.nullable(v.string()), 'Number of the order in your own system, or null.'),
    metadata: shown_metadata,
    created_at: described(shown_timestamp, 'Time at which the payment was created, in UTC.'),
    amount_refunded: described(shown_amount, "Sum of all refunds, in the currency's smallest unit."),
    locale: described(v.picklist(locales), 'Language of the pages that the customer sees.'),
    session: described(v.nullable(shownId('session')), 'Id of the session that the payment pays, or null.'),
    subscription: described(
      v.nullable(shownId('subscription')),
      'Id of the subscription whose interval the payment captures, or null.',
    ),
    failure_code: described(
      v.nullable(v.picklist(failure_codes)),
      'Why the payment failed. Null unless `status` is `failed`.',
    ),
    failure_message: described(
      v.nullable(v.string()),
      'Sentence that explains `failure_code` to you. Null unless `status` is `failed`.',
    ),
    refunds: described(v.array(RefundResource), 'The refunds of the payment, oldest first.'),
    refund_requests: described(v.array(RefundRequestResource), 'The refund requests of the payment, oldest first.'),
  }),
  'A payment: one amount that one customer pays with one payment method.',
)
export type PaymentResource = v.InferOutput<typeof PaymentResource>

/** Shows a payment. */
export const payment = viewOf(
  PaymentResource,
  (record: Payment): PaymentResource => ({
    id: record.id,
    resource: 'payment',
    status: record.status,
    amount: record.amount,
    tax: record.tax,
    customer: record.customer,
    payment_deadline: record.payment_deadline,
    payment_details: record.payment_details as PaymentDetailsResource,
    payment_method_fee: record.payment_method_fee,
    total: record.total,
    currency: record.currency,
    description: record.description,
    captured_at: record.captured_at,
    external_order_num: record.external_order_num,
    metadata: record.metadata,
    created_at: record.created_at,
    amount_refunded: record.amount_refunded,
    locale: record.locale as Locale,
    session: record.session,
    subscription: record.occurrence?.subscription ?? null,
    failure_code: record.failure,
    failure_message: record.failure && failureMessage(record.failure),
    refunds: record.refunds.map(refund),
    refund_requests: record.refund_requests.map(refund_request),
  }),
)
