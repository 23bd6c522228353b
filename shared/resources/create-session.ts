import * as v from 'valibot'
import { sumOfItems } from '#shared/domain/line-items.ts'
import { AMOUNT_MAX, taxOn } from '#shared/domain/new-payment.ts'
import { payment_types } from '#shared/domain/payment-details.ts'
import { session_modes } from '#shared/domain/session.ts'
import { anyOf, meets, requiring } from './conditions.ts'
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
  text,
  withDefault,
} from './fields.ts'
import { line_item } from './line-item.ts'
import { metadata } from './metadata.ts'
import { payment_data } from './payment-data.ts'
import { return_url } from './return-url.ts'

/** The longest life of a session, which is a day. It is also the default. */
const EXPIRES_IN_SECONDS_MAX = 86_400

const asked = v.object({
  mode: v.pipe(
    withDefault(oneOf(session_modes), 'payment'),
    v.description(
      '`payment` takes a payment. `customer` takes no payment: it stores a card as a new customer, whom you charge later.',
    ),
  ),
  amount: v.pipe(
    v.optional(amount),
    v.description(
      'The amount before tax, in the smallest unit of the currency. Without it, the amount is the sum of the line items. Mode `customer` needs none.',
    ),
  ),
  currency: v.pipe(
    optional(currency),
    v.description(
      'The currency of the payment, as an ISO 4217 code. It is required here or in `payment_data`, except in mode `customer`.',
    ),
  ),
  return_url: v.pipe(
    orNull(return_url),
    v.description(
      'The address to which the customer returns at the end: an http or https URL, or a link that opens an app. `session_id` is added to its query.',
    ),
  ),
  default_locale: v.pipe(
    withDefault(locale, 'ja'),
    v.description('The language in which the page of the session opens.'),
  ),
  payment_types: v.pipe(
    optional(
      v.pipe(
        v.array(v.unknown(), 'must be an array'),
        v.metadata({ items: { type: 'string', enum: payment_types } }),
        // A plug-in without a choice sends one blank type.
        v.transform((types) => types.filter((type) => type !== null && type !== '')),
        v.check((types) => types.length === 0 || types.some(isPaymentType), faults.invalid_payment_type),
      ),
    ),
    v.description(
      'The payment types that the customer can choose from, in the order of the page. Unknown types, and types that the currency or the mode does not allow, are dropped; at least one must be left. Without it, all allowed types are offered, and the page shows those first that are likely in the currency and the language of the customer.',
    ),
  ),
  email: v.pipe(orNull(email), v.description("The customer's e-mail address, for payment details without one.")),
  line_items: v.pipe(
    withDefault(v.pipe(v.array(line_item, 'must be an array'), v.maxLength(100, 'must have at most 100 entries')), []),
    v.description(
      'What the customer buys, as the page lists it. Without an `amount` of the session, each `amount` times its `quantity` adds to the charged sum.',
    ),
  ),
  external_order_num: v.pipe(orNull(text(255)), v.description('The number of the order in your own system.')),
  customer: v.pipe(
    optional(text(255)),
    v.description(
      'The id of a customer. Every payment of the session belongs to this customer, and the page offers the stored card of the customer. Mode `customer` takes none, because it stores a new customer.',
    ),
  ),
  metadata,
  expires_in_seconds: v.pipe(
    withDefault(integer(1, EXPIRES_IN_SECONDS_MAX), EXPIRES_IN_SECONDS_MAX),
    v.description('The number of seconds until the session expires, at most a day.'),
  ),
  payment_data: v.pipe(
    v.optional(
      v.pipe(
        v.unknown(),
        v.metadata({ nullable: true }),
        v.transform((input) => (input === null || input === '' ? {} : input)),
        payment_data,
      ),
      {},
    ),
    v.description('Parameters of the payment that the customer makes.'),
  ),
})

const mode_customer = { required: ['mode'], properties: { mode: { const: 'customer' } } }

const mode_payment = { properties: { mode: { enum: ['payment', null] } } }

const no_customer = { properties: { customer: { type: 'null' } } }

const inPaymentData = (name: string) => ({ required: ['payment_data'], properties: { payment_data: requiring(name) } })

const priced_items = {
  required: ['line_items'],
  properties: { line_items: { type: 'array', contains: requiring('amount') } },
}

/**
 * The parameters of a session. Amount and currency can also be sent in `payment_data`. Values that are sent in both
 * places must be equal. Without an amount, the sum of the line items is the amount. Mode `customer` takes no payment,
 * so amount and currency are optional there.
 */
const priced = v.pipe(
  asked,
  v.metadata(
    meets(
      anyOf(requiring('amount'), inPaymentData('amount'), priced_items, mode_customer),
      anyOf(requiring('currency'), inPaymentData('currency'), mode_customer),
      anyOf(mode_payment, no_customer),
    ),
  ),
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
