import * as v from 'valibot'
import { dayOfInterval, periods } from '#shared/domain/calendar.ts'
import { decimalsOf, inOwnUnit, inSmallestUnit } from '#shared/domain/currency.ts'
import { capture_failure_codes, failureMessage } from '#shared/domain/failure.ts'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import { payment_types } from '#shared/domain/payment-details.ts'
import {
  type CaptureFailure,
  type Subscription,
  type SubscriptionCustomer,
  type SubscriptionSource,
  subscription_statuses,
} from '#shared/domain/subscription.ts'
import { nextCaptureAt } from '#shared/domain/subscription-states.ts'
import { inJapan } from '#shared/domain/timestamp.ts'
import {
  described,
  resourceName,
  shown_count,
  shown_currency,
  shown_metadata,
  shown_time_in_japan,
  shown_timestamp,
  shownId,
} from './answer-fields.ts'
import { currency, oneOf, optional, someOf, text } from './fields.ts'
import { list_fields } from './list.ts'
import { metadata } from './metadata.ts'
import { viewOf } from './view.ts'

const AMOUNT_FAULT = 'must be an amount from 0 to 9999999999 in the unit of its currency, such as 1000 or 10.50'

const decimal = v.pipe(
  v.unknown(),
  // The limits apply to a number, and the pattern applies to text.
  v.metadata({
    type: ['number', 'string'],
    minimum: 0,
    maximum: AMOUNT_MAX,
    pattern: '^[0-9]{1,10}([.][0-9]{1,20})?$',
  }),
  v.transform((input) => (typeof input === 'number' ? String(input) : input)),
  v.custom<string>((input) => typeof input === 'string' && /^\d{1,10}(\.\d{1,20})?$/.test(input), AMOUNT_FAULT),
)

const customer = v.pipe(
  v.custom<string>((input) => v.is(text(255), input), 'must be the id of a customer (cus_…)'),
  v.metadata({ type: 'string', minLength: 1, maxLength: 255 }),
)

/**
 * The parameters that create a subscription. The amount is sent in the currency's own unit and parsed to its smallest
 * unit.
 */
export const CreateSubscription = v.pipe(
  v.object({
    customer: v.pipe(
      customer,
      v.description('The id of the customer, whose stored card is charged at once and then in every interval.'),
    ),
    amount: v.pipe(
      decimal,
      v.description(
        "The amount of every charge before tax, in the currency's own unit: 10.50 USD is 10.50 and 1000 JPY is 1000. It can be zero. The payments of a subscription have the tax 0.",
      ),
    ),
    currency: v.pipe(currency, v.description('The currency of the charges, as an ISO 4217 code.')),
    period: v.pipe(oneOf(periods), v.description('The interval between two charges.')),
    metadata,
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const { amount, currency: code } = dataset.value
    const value = inSmallestUnit(amount, code)
    if (value <= AMOUNT_MAX) return
    const message = Number.isNaN(value)
      ? `must have at most ${decimalsOf(code)} decimals in ${code}`
      : 'must not exceed 9999999999 of the smallest unit'
    addIssue({
      message,
      path: [{ type: 'object', origin: 'value', input: dataset.value, key: 'amount', value: amount }],
    })
  }),
  v.transform((input) => ({ ...input, amount: inSmallestUnit(input.amount, input.currency) })),
)
export type CreateSubscription = v.InferOutput<typeof CreateSubscription>

/** The filters of a list of subscriptions. */
export const ListSubscriptions = v.object({
  status: v.pipe(
    optional(someOf(subscription_statuses)),
    v.description('Lists only subscriptions with this status, or with one of several statuses separated by commas.'),
  ),
  customer: v.pipe(optional(text(255)), v.description('Lists only subscriptions of the customer with this id.')),
  ...list_fields,
})
export type ListSubscriptions = v.InferOutput<typeof ListSubscriptions>

/** The customer that is embedded in a subscription. Its shape differs from that of a customer. */
export const SubscriptionCustomerResource = described(
  v.strictObject({
    id: described(shown_count, 'Number of the customer, which stays the same. Requests take `uuid` instead.'),
    uuid: described(shownId('customer'), 'Id of the customer, which requests take.'),
    merchant_id: described(shown_count, 'Number of the merchant, which stays the same.'),
    created_at: described(shown_time_in_japan, 'Time in Japan at which the customer was created.'),
    updated_at: described(shown_time_in_japan, 'Time in Japan of the last change of the customer.'),
    email: described(
      v.nullable(v.string()),
      "The customer's e-mail address. Null if none was given, and after the customer was deleted.",
    ),
    currency: described(v.nullable(shown_currency), 'The currency that you stored with the customer, or null.'),
    metadata: shown_metadata,
  }),
  'The customer who pays. Its shape differs from that of `GET /customers/:id`.',
)

/** The payment source of a subscription, as far as it can be shown. */
const SubscriptionSourceResource = v.strictObject({
  type: described(v.picklist(payment_types), 'Payment type of the stored payment details.'),
  month: described(v.nullable(v.string()), 'Month in which the card expires, as text: `9`. Null for other types.'),
  year: described(
    v.nullable(v.string()),
    'Year in which the card expires, as text with four digits. Null for other types.',
  ),
  email: described(v.nullable(v.string()), 'E-mail address of the payment details, or null.'),
})

/** The latest failed capture of a subscription. */
const CaptureFailureResource = v.strictObject({
  code: described(v.picklist(capture_failure_codes), 'Why the capture failed.'),
  message: described(v.string(), 'Sentence that explains `code` to you.'),
  payment: described(
    v.nullable(shownId('payment')),
    'Id of the failed payment. Null if the capture failed before a payment was created.',
  ),
  failed_at: described(shown_timestamp, 'Time of the failure, in UTC.'),
})

/** A subscription as a merchant sees it, with its customer and the part of the payment source that can be shown. */
export const SubscriptionResource = described(
  v.strictObject({
    id: described(shownId('subscription'), 'Id of the subscription.'),
    resource: resourceName('subscription'),
    status: described(
      v.picklist(subscription_statuses),
      '`pending`: the outcome of the first capture is not known yet. `active`: the last interval was captured. `retrying`: the capture failed and is retried. `suspended`: too many captures failed. `deleted`: you or the deletion of its customer ended it.',
    ),
    amount: described(
      v.pipe(v.number(), v.minValue(0)),
      "Amount of every interval before tax, in the currency's own unit: 10.5 is ten dollars and fifty cents. The amounts of its payments are in the smallest unit.",
    ),
    currency: described(shown_currency, 'ISO 4217 code of the currency.'),
    customer: SubscriptionCustomerResource,
    period: described(v.picklist(periods), 'Length of an interval.'),
    day: described(
      v.pipe(shown_count, v.minValue(1), v.maxValue(366)),
      'Day of the first capture in Japan: of the week from 1 (Monday) to 7, of the month, or of the year from 1 to 366, as `period` says.',
    ),
    payment_details: described(
      v.nullable(SubscriptionSourceResource),
      'The payment source, as far as it helps to find out why a capture failed. Null if the customer has none.',
    ),
    retry_count: described(shown_count, 'Number of failed captures in the current interval.'),
    retry_at: described(
      v.nullable(shown_timestamp),
      'Time at which a failed capture is retried, in UTC. Null unless a retry is scheduled.',
    ),
    next_capture_at: described(
      v.nullable(shown_timestamp),
      'Time at which the next interval starts and is captured, in UTC. Null once the subscription has ended.',
    ),
    created_at: described(shown_timestamp, 'Time at which the subscription was created, in UTC.'),
    ended_at: described(
      v.nullable(shown_timestamp),
      'Time at which the subscription was suspended or deleted, in UTC. Null until then.',
    ),
    metadata: shown_metadata,
    payments: described(v.array(shownId('payment')), 'Ids of the captured payments, oldest first.'),
    last_failure: described(
      v.nullable(CaptureFailureResource),
      'The latest failed capture. Null if no capture has failed.',
    ),
  }),
  'A subscription, which charges a customer at the start of every interval.',
)
export type SubscriptionResource = v.InferOutput<typeof SubscriptionResource>

/** Shows a subscription. */
export const subscription = viewOf(SubscriptionResource, (record: Subscription): SubscriptionResource => {
  const { id, status, amount, currency, customer, period, payment_details, retry_count, retry_at } = record
  const { created_at, ended_at, metadata, payments, last_failure } = record
  return {
    id,
    resource: 'subscription',
    status,
    amount: inOwnUnit(amount, currency),
    currency,
    customer: shownCustomer(customer),
    period,
    day: dayOfInterval(Date.parse(created_at), period),
    payment_details: payment_details && shownSource(payment_details),
    retry_count,
    retry_at,
    next_capture_at: nextCaptureAt(record),
    created_at,
    ended_at,
    metadata,
    payments: [...payments],
    last_failure: last_failure ? shownFailure(last_failure) : null,
  }
})

const shownFailure = ({ code, payment, failed_at }: CaptureFailure) => ({
  code,
  message: failureMessage(code),
  payment,
  failed_at,
})

function shownCustomer({ number, merchant_number, uuid, created_at, updated_at, ...rest }: SubscriptionCustomer) {
  const { email, currency, metadata } = rest
  return {
    id: number,
    uuid,
    merchant_id: merchant_number,
    created_at: inJapan(created_at),
    updated_at: inJapan(updated_at),
    email,
    currency,
    metadata,
  }
}

const shownSource = ({ type, month, year, email }: SubscriptionSource) => ({
  type,
  month: month === null ? null : String(month),
  year: year === null ? null : String(year),
  email,
})
