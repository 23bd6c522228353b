import * as v from 'valibot'
import { sumOfItems } from '#shared/domain/line-items.ts'
import { AMOUNT_MAX, taxOn } from '#shared/domain/new-payment.ts'
import { payment_types } from '#shared/domain/payment-details.ts'
import { session_modes } from '#shared/domain/session.ts'
import {
  amount,
  currency,
  email,
  faults,
  integer,
  locale,
  oneOf,
  optional,
  orNull,
  tax,
  text,
  url,
  withDefault,
} from './fields.ts'
import { metadata } from './metadata.ts'
import { payment_webhooks } from './payment-webhook.ts'
import { return_url } from './return-url.ts'

/** The longest life of a session, which is a day. It is also the default. */
const EXPIRES_IN_SECONDS_MAX = 86_400

const QUANTITY_MAX = 1_000_000

/** A number above zero, also with decimals. It can also be sent as text: `"1.5"`. */
const quantity = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === 'string' && /^\d{1,20}(\.\d{1,20})?$/.test(input) ? Number(input) : input)),
  v.custom<number>(
    (value) => typeof value === 'number' && value > 0 && value <= QUANTITY_MAX,
    `must be a number greater than 0 and at most ${QUANTITY_MAX}, such as 2 or 1.5`,
  ),
)

/** The address of a picture. A picture never stops a checkout, so anything but an http or https URL becomes null. */
const image = v.optional(
  v.pipe(
    v.unknown(),
    v.transform((input) => (v.is(url, input) ? input : null)),
  ),
  null,
)

const line_item = v.object(
  {
    amount: orNull(integer(0, AMOUNT_MAX)),
    description: orNull(text(500)),
    quantity: orNull(quantity),
    image,
  },
  'must be an object',
)

const payment_data = v.object(
  {
    amount: v.optional(amount),
    currency: optional(currency),
    capture: withDefault(oneOf(['auto', 'manual']), 'auto'),
    external_order_num: orNull(text(255)),
    tax: v.optional(tax, 0),
    webhooks: withDefault(payment_webhooks, []),
  },
  'must be an object',
)

const asked = v.object({
  mode: withDefault(oneOf(session_modes), 'payment'),
  amount: v.optional(amount),
  currency: optional(currency),
  return_url: orNull(return_url),
  default_locale: withDefault(locale, 'ja'),
  payment_types: optional(
    v.pipe(
      v.array(v.unknown(), 'must be an array'),
      // A plug-in without a choice sends one blank type.
      v.transform((types) => types.filter((type) => type !== null && type !== '')),
      v.check((types) => types.length === 0 || types.some(isPaymentType), faults.invalid_payment_type),
    ),
  ),
  email: orNull(email),
  line_items: withDefault(
    v.pipe(v.array(line_item, 'must be an array'), v.maxLength(100, 'must have at most 100 entries')),
    [],
  ),
  external_order_num: orNull(text(255)),
  customer: optional(text(255)),
  metadata,
  expires_in_seconds: withDefault(integer(1, EXPIRES_IN_SECONDS_MAX), EXPIRES_IN_SECONDS_MAX),
  payment_data: v.optional(
    v.pipe(
      v.unknown(),
      v.transform((input) => (input === null || input === '' ? {} : input)),
      payment_data,
    ),
    {},
  ),
})

/**
 * The parameters of a session. Amount and currency can also be sent in `payment_data`. Values that are sent in both
 * places must be equal. Without an amount, the sum of the line items is the amount. Mode `customer` takes no payment,
 * so amount and currency are optional there.
 */
const priced = v.pipe(
  asked,
  v.forward(
    v.partialCheck(
      [['amount'], ['payment_data', 'amount']],
      ({ amount, payment_data }) => isSame(amount, payment_data.amount),
      'must be the same as amount',
    ),
    ['payment_data', 'amount'],
  ),
  v.forward(
    v.partialCheck(
      [['currency'], ['payment_data', 'currency']],
      ({ currency, payment_data }) => isSame(currency, payment_data.currency),
      'must be the same as currency',
    ),
    ['payment_data', 'currency'],
  ),
  v.forward(
    v.partialCheck(
      [['mode'], ['customer']],
      ({ mode, customer }) => mode === 'payment' || customer === undefined,
      'must not be given in mode customer, which stores a new customer. Leave it out',
    ),
    ['customer'],
  ),
  v.forward(
    v.partialCheck(
      [['mode'], ['amount'], ['payment_data', 'amount'], ['line_items']],
      ({ mode, amount, payment_data, line_items }) =>
        mode === 'customer' || (amount ?? payment_data.amount ?? sumOfItems(line_items)) !== undefined,
      'is required, unless mode is customer or line items have amounts',
    ),
    ['amount'],
  ),
  v.forward(
    v.partialCheck(
      [['mode'], ['currency'], ['payment_data', 'currency']],
      ({ mode, currency, payment_data }) => mode === 'customer' || (currency ?? payment_data.currency) !== undefined,
      'is required, unless mode is customer',
    ),
    ['currency'],
  ),
  v.transform(({ payment_data, ...request }) => {
    const amount = request.amount ?? payment_data.amount ?? sumOfItems(request.line_items)
    return {
      ...{ ...request, amount, currency: request.currency ?? payment_data.currency, payment_data },
      external_order_num: payment_data.external_order_num ?? request.external_order_num,
      tax: taxOn(amount ?? 0, payment_data.tax),
    }
  }),
)

const isPaymentType = (type: unknown): boolean => payment_types.some((known) => known === type)

const isSame = (one: unknown, other: unknown): boolean => one === undefined || other === undefined || one === other

/** The parameters that create a session. Amount and tax together have an upper bound. */
export const CreateSession = v.pipe(
  priced,
  v.forward(
    v.check(
      ({ mode, amount = 1 }) => mode === 'customer' || (amount >= 1 && amount <= AMOUNT_MAX),
      `must be from 1 to ${AMOUNT_MAX}. Without an amount, the line items must add up to such an amount`,
    ),
    ['amount'],
  ),
  v.forward(
    v.check(({ amount = 0, tax }) => amount + tax <= AMOUNT_MAX, 'is too large together with the tax'),
    ['amount'],
  ),
)
export type CreateSession = v.InferOutput<typeof CreateSession>
