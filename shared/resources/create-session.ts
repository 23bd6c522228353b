import * as v from 'valibot'
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

/** The longest life of a session, which is a day. It is also the default. */
const EXPIRES_IN_SECONDS_MAX = 86_400

const line_item = v.object(
  {
    amount: orNull(integer(0, AMOUNT_MAX)),
    description: orNull(text(500)),
    quantity: orNull(integer(0, 1_000_000)),
    image: orNull(url),
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
  return_url: orNull(url),
  default_locale: withDefault(locale, 'ja'),
  payment_types: optional(
    v.pipe(
      v.array(v.picklist(payment_types, faults.invalid_payment_type), 'must be an array'),
      v.transform((types) => [...new Set(types)]),
    ),
  ),
  email: orNull(email),
  line_items: withDefault(
    v.pipe(v.array(line_item, 'must be an array'), v.maxLength(100, 'must have at most 100 entries')),
    [],
  ),
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
 * places must be equal. Mode `customer` takes no payment, so amount and currency are optional there.
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
      [['mode'], ['amount'], ['payment_data', 'amount']],
      ({ mode, amount, payment_data }) => mode === 'customer' || (amount ?? payment_data.amount) !== undefined,
      'is required, unless mode is customer',
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
    const amount = request.amount ?? payment_data.amount
    const { tax } = payment_data
    return {
      ...{ ...request, amount, currency: request.currency ?? payment_data.currency, payment_data },
      tax: taxOn(amount ?? 0, tax),
    }
  }),
)

const isSame = (one: unknown, other: unknown): boolean => one === undefined || other === undefined || one === other

/** The parameters that create a session. Amount and tax together have an upper bound. */
export const CreateSession = v.pipe(
  priced,
  v.forward(
    v.check(({ amount = 0, tax }) => amount + tax <= AMOUNT_MAX, 'is too large together with the tax'),
    ['amount'],
  ),
)
export type CreateSession = v.InferOutput<typeof CreateSession>
