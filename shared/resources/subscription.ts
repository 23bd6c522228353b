import * as v from 'valibot'
import { dayOfInterval, periods } from '#shared/domain/calendar.ts'
import { decimalsOf, inOwnUnit, inSmallestUnit } from '#shared/domain/currency.ts'
import { failureMessage } from '#shared/domain/failure.ts'
import { AMOUNT_MAX } from '#shared/domain/new-payment.ts'
import {
  type CaptureFailure,
  type Subscription,
  type SubscriptionCustomer,
  type SubscriptionSource,
  subscription_statuses,
} from '#shared/domain/subscription.ts'
import { nextCaptureAt } from '#shared/domain/subscription-states.ts'
import { inJapan } from '#shared/domain/timestamp.ts'
import { currency, oneOf, optional, someOf, text } from './fields.ts'
import { list_fields } from './list.ts'
import { metadata } from './metadata.ts'

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

/**
 * The parameters that create a subscription. The amount is sent in the currency's own unit and parsed to its smallest
 * unit.
 */
export const CreateSubscription = v.pipe(
  v.object({
    customer: v.pipe(
      text(255),
      v.description('The id of the customer, whose stored card is charged at once and then in every interval.'),
    ),
    amount: v.pipe(
      decimal,
      v.description(
        "The amount of every charge before tax, in the currency's own unit: 10.50 USD is 10.50 and 1000 JPY is 1000. It can be zero.",
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

/** A subscription as a merchant sees it, with its customer and the part of the payment source that can be shown. */
export function subscription(record: Subscription) {
  const { id, status, amount, currency, customer, period, payment_details, retry_count, retry_at } = record
  const { created_at, ended_at, metadata, payments, last_failure } = record
  return {
    id,
    resource: 'subscription' as const,
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
    payments,
    last_failure: last_failure ? shownFailure(last_failure) : null,
  }
}

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
