import {
  array,
  boolean,
  integer,
  literal,
  looseObject,
  nullish,
  number,
  optional,
  pipe,
  record,
  regex,
  safeParse,
  string,
  union,
  variant,
} from 'valibot'

/*
 * The form of Stripe's answers, as far as the service reads them. Fields that it does not read may have any form. Open
 * values such as a status are checked where they are read.
 */

const id = pipe(string(), regex(/^\w+$/))
const text = nullish(string())
const amount = pipe(number(), integer())
const metadata = record(string(), string())

/** Another object: its id, or the object itself where it was asked for. */
const linked = nullish(union([id, looseObject({ id })]))

/** A page to which the customer is sent. */
const page = nullish(pipe(string(), regex(/^https?:\/\//)))

const codes = nullish(looseObject({ payment_code: string(), confirmation_number: text }))

const bank_account = nullish(
  looseObject({
    bank_name: text,
    branch_name: text,
    account_number: text,
    account_type: text,
    account_holder_name: text,
  }),
)

const next_action = nullish(
  looseObject({
    redirect_to_url: nullish(looseObject({ url: page })),
    alipay_handle_redirect: nullish(looseObject({ url: page })),
    wechat_pay_display_qr_code: nullish(looseObject({ hosted_instructions_url: page })),
    konbini_display_details: nullish(
      looseObject({
        expires_at: amount,
        stores: looseObject({ familymart: codes, lawson: codes, ministop: codes, seicomart: codes }),
      }),
    ),
    display_bank_transfer_instructions: nullish(
      looseObject({
        amount_remaining: nullish(amount),
        reference: text,
        financial_addresses: nullish(array(looseObject({ type: string(), zengin: bank_account }))),
      }),
    ),
  }),
)

const decline = nullish(looseObject({ type: text, code: text, decline_code: text }))

const charge = looseObject({
  object: literal('charge'),
  id,
  payment_intent: linked,
  amount_refunded: amount,
  balance_transaction: nullish(union([id, looseObject({ currency: string(), fee: amount })])),
  outcome: nullish(looseObject({ type: text })),
  payment_method_details: nullish(looseObject({ card: nullish(looseObject({ capture_before: nullish(amount) })) })),
})

const payment_intent = looseObject({
  object: literal('payment_intent'),
  id,
  status: string(),
  currency: string(),
  amount,
  amount_received: amount,
  amount_capturable: amount,
  metadata,
  payment_method_types: array(string()),
  customer: linked,
  cancellation_reason: text,
  last_payment_error: decline,
  latest_charge: nullish(union([id, charge])),
  next_action,
})

const refund = looseObject({
  object: literal('refund'),
  id,
  status: text,
  currency: string(),
  amount,
  metadata: nullish(metadata),
  payment_intent: linked,
  balance_transaction: linked,
})

/** Each event is checked by itself, because one that is unreadable must not hide the others. */
const event = looseObject({ object: literal('event'), id })

/** The objects that Stripe answers with. */
const answer = variant('object', [
  payment_intent,
  charge,
  refund,
  looseObject({ object: literal('setup_intent'), id, status: string(), last_setup_error: decline, next_action }),
  looseObject({ object: literal('payment_method'), id }),
  looseObject({ object: literal('customer'), id }),
  looseObject({ object: literal('cash_balance'), available: nullish(record(string(), amount)) }),
  looseObject({
    object: literal('list'),
    data: array(variant('object', [payment_intent, refund, event])),
    has_more: boolean(),
  }),
])

/** Every object but a list and an event says whether it is about real money. */
const mode = looseObject({ livemode: optional(boolean()) })

/**
 * Returns the path of the first field by which an answer is not what Stripe's API describes, such as
 * `latest_charge.balance_transaction.fee`. Undefined for an answer that can be read.
 */
export function malformedField(value: object): string | undefined {
  const { issues = [] } = safeParse(answer, value)
  const [issue = safeParse(mode, value).issues?.[0]] = issues
  return issue && (issue.path?.map(({ key }) => String(key)).join('.') ?? 'object')
}
