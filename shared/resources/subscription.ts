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
  v.transform((input) => (typeof input === 'number' ? String(input) : input)),
  v.custom<string>((input) => typeof input === 'string' && /^\d{1,10}(\.\d{1,20})?$/.test(input), AMOUNT_FAULT),
)

const customer = v.custom<string>((input) => v.is(text(255), input), 'must be the id of a customer (cus_…)')

/**
 * The parameters that create a subscription. The amount is sent in the currency's own unit and parsed to its smallest
 * unit.
 */
export const CreateSubscription = v.pipe(
  v.object({ customer, amount: decimal, currency, period: oneOf(periods), metadata }),
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
  status: optional(someOf(subscription_statuses)),
  customer: optional(text(255)),
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
