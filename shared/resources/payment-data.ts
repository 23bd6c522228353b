import * as v from 'valibot'
import { amount, currency, oneOf, optional, orNull, tax, text, withDefault } from './fields.ts'
import { payment_webhooks } from './payment-webhook.ts'

/** The parameters of a session that concern its payment alone. */
export const payment_data = v.object(
  {
    amount: v.pipe(
      v.optional(amount),
      v.description('The amount, if it is not sent beside `payment_data`. If both are sent, they must be equal.'),
    ),
    currency: v.pipe(
      optional(currency),
      v.description('The currency, if it is not sent beside `payment_data`. If both are sent, they must be equal.'),
    ),
    capture: v.pipe(
      withDefault(oneOf(['auto', 'manual']), 'auto'),
      v.description('`auto` charges a card at once. `manual` only authorizes the payment, to be captured later.'),
    ),
    external_order_num: v.pipe(
      orNull(text(255)),
      v.description('The number of the order in your own system. It takes precedence over the one of the session.'),
    ),
    tax: v.pipe(
      v.optional(tax, 0),
      v.description(
        'The tax in the smallest unit of the currency, charged in addition to the amount. `auto` is 10 % of the amount, rounded down.',
      ),
    ),
    webhooks: v.pipe(
      withDefault(payment_webhooks, []),
      v.description("Webhooks of the payment alone, in addition to the merchant's webhooks. At most 10."),
    ),
  },
  'must be an object',
)
