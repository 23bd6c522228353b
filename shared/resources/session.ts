import * as v from 'valibot'
import type { Payment } from '#shared/domain/payment.ts'
import { payment_types } from '#shared/domain/payment-details.ts'
import {
  isExpired,
  type LineItem,
  locales,
  type Session,
  session_modes,
  session_statuses,
} from '#shared/domain/session.ts'
import { brands_of, methodsOf, storesOf } from '#shared/domain/session-methods.ts'
import { isBeingPaid } from '#shared/domain/session-states.ts'
import {
  described,
  resourceName,
  shown_amount,
  shown_currency,
  shown_metadata,
  shown_timestamp,
  shown_url,
  shownId,
} from './answer-fields.ts'
import { exactlyOne, meets } from './conditions.ts'
import { optional, text } from './fields.ts'
import { PaymentResource, payment } from './payment.ts'
import { session_payment_details } from './payment-details.ts'
import { viewOf } from './view.ts'

/**
 * How a session is paid: with payment details, of which a text is the id of a token, or with the stored card of the
 * session's customer. Exactly one of the two is required.
 */
export const PaySession = v.pipe(
  v.object({
    customer: v.pipe(
      optional(text(255)),
      v.description(
        'The id of the customer of the session, whose stored card is charged. Send this or `payment_details`.',
      ),
    ),
    payment_details: v.pipe(
      optional(session_payment_details),
      v.description(
        'How the customer pays: an object with a type that the session offers, or the id of a token or of a verified secure token. If the type needs an e-mail address and the details have none, the e-mail address of the session is used. Send this or `customer`.',
      ),
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
export type PaySession = v.InferOutput<typeof PaySession>

/** A cancellation takes no parameters. */
export const CancelSession = v.object({})

/** What the view of a session shows in addition to the session itself. */
export interface SessionContext {
  /** The payment of the latest try. */
  readonly payment?: Payment | undefined
  readonly session_url: string
  /** The path of the icons on this host, with the prefix of the stage: `/prod/payment_methods`. */
  readonly icons_path: string
  /** Epoch milliseconds. */
  readonly now: number
}

/** A payment method of a session, with its costs. */
const SessionPaymentMethodResource = v.strictObject({
  type: described(v.picklist(payment_types), 'Payment type, as `type` of `payment_details` names it.'),
  brands: described(
    v.union([
      described(v.array(v.string()), 'Names of the card brands or mobile carriers. Empty for other types.'),
      described(
        v.record(
          v.string(),
          v.strictObject({
            icon: described(v.string(), 'Path of the icon of the store, on the host of this service.'),
          }),
        ),
        'Of `konbini`: the convenience stores, each with its icon.',
      ),
    ]),
    'The card brands, mobile carriers or convenience stores among which the customer can choose.',
  ),
  offsite: described(v.boolean(), 'Whether the customer is sent to the site of a provider to pay.'),
  additional_fields: described(
    v.array(v.string()),
    'The fields of `payment_details` for which the customer must be asked before they leave for the site of a provider. Empty if none is needed, and if `offsite` is false.',
  ),
  customer_fee: described(
    shown_amount,
    "Fee that the customer pays in addition for this payment method, in the currency's smallest unit.",
  ),
  amount: described(
    v.nullable(shown_amount),
    "Amount with tax and without `customer_fee`, in the currency's smallest unit. Null if the session takes no payment.",
  ),
  currency: described(v.nullable(shown_currency), 'ISO 4217 code of the currency. Null if the session has none.'),
  exchange_rate: described(v.null(), 'Always null: amounts are not converted.'),
})

/** An item of the purchase of a session. */
const LineItemResource = v.strictObject({
  amount: described(v.nullable(shown_amount), "Price of one item, in the currency's smallest unit, or null."),
  description: described(v.nullable(v.string()), 'Description of the item, or null.'),
  quantity: described(v.nullable(v.number()), 'Number of items, which can have decimals, or null.'),
  image: described(v.nullable(v.string()), 'URL of a picture of the item, or null.'),
})

/** A session as a merchant sees it, with its payment. */
export const SessionResource = described(
  v.strictObject({
    id: described(shownId('session'), 'Id of the session.'),
    resource: resourceName('session'),
    mode: described(
      v.picklist(session_modes),
      '`payment`: the customer pays. `customer`: the customer stores a card that you charge later.',
    ),
    amount: described(
      v.nullable(shown_amount),
      "Amount before tax, in the currency's smallest unit. Null if the session takes no payment.",
    ),
    currency: described(v.nullable(shown_currency), 'ISO 4217 code of the currency. Null if you sent none.'),
    session_url: described(shown_url, 'Page to which you send the customer to pay.'),
    return_url: described(
      v.nullable(v.string()),
      'URL or app link to which the customer returns, with `session_id` appended, or null.',
    ),
    default_locale: described(v.picklist(locales), 'Language of the page, unless the customer chooses another one.'),
    payment_methods: described(
      v.array(SessionPaymentMethodResource),
      'The payment methods that the customer can choose, in the order of your request. If you named none, the page shows those first that are likely in the currency and the language of the customer.',
    ),
    status: described(
      v.picklist(session_statuses),
      '`pending`: the customer has not paid yet. `completed`: the payment is authorized or captured, or the card is stored. `cancelled`: the session can no longer be paid.',
    ),
    expired: described(v.boolean(), 'Whether the session ran out of time before it was completed or cancelled.'),
    payment: described(
      v.nullable(PaymentResource),
      'The payment of the latest try, which can be a failed one. Null before the first try.',
    ),
    secure_token: described(
      v.nullable(shownId('secure_token')),
      'Id of the secure token that was used in the latest try, or null.',
    ),
    customer_id: described(
      v.nullable(shownId('customer')),
      'Id of the customer that you sent, or that the session stored in mode `customer`. Null if there is none.',
    ),
    line_items: described(v.array(LineItemResource), 'The items of the purchase, which the page lists.'),
    email: described(v.nullable(v.string()), "The customer's e-mail address, or null if you sent none."),
    metadata: shown_metadata,
    merchant_name: described(
      v.nullable(v.string()),
      'Your name on the page: `display_name` of your account, or else its `name`, when the session was created. Null only in a session of an earlier version of the service.',
    ),
    created_at: described(shown_timestamp, 'Time at which the session was created, in UTC.'),
    completed_at: described(v.nullable(shown_timestamp), 'Time at which the session was completed, in UTC, or null.'),
    cancelled_at: described(v.nullable(shown_timestamp), 'Time at which the session was cancelled, in UTC, or null.'),
  }),
  'A session: a purchase that a customer pays on a page of this service.',
)
export type SessionResource = v.InferOutput<typeof SessionResource>

/** Shows a session, with its payment. */
export const session = viewOf(
  SessionResource,
  (record: Session, { payment: paid, session_url, icons_path, now }: SessionContext): SessionResource => ({
    id: record.id,
    resource: 'session',
    mode: record.mode,
    amount: record.amount,
    currency: record.currency,
    session_url,
    return_url: record.return_url,
    default_locale: record.default_locale,
    payment_methods: methodsOf(record).map(({ type, fee, total, offsite, additional_fields }) => ({
      type,
      brands: type === 'konbini' ? storesWithIcons(storesOf(record), icons_path) : [...(brands_of[type] ?? [])],
      offsite,
      additional_fields: [...additional_fields],
      customer_fee: fee,
      amount: total === null ? null : total - fee,
      currency: record.currency,
      exchange_rate: null,
    })),
    status: record.status,
    expired: isExpired(record, now) && !isBeingPaid(paid),
    payment: paid ? payment(paid) : null,
    secure_token: record.secure_token,
    customer_id: record.customer_id,
    line_items: record.line_items.map(line_item_view),
    email: record.email,
    metadata: record.metadata,
    merchant_name: record.merchant_name ?? null,
    created_at: record.created_at,
    completed_at: record.completed_at,
    cancelled_at: record.cancelled_at,
  }),
)

/** Returns a session that `session` has already shown. */
export const shown_session = viewOf(SessionResource, (shown: SessionResource) => shown)

const storesWithIcons = (stores: readonly string[], icons_path: string) =>
  Object.fromEntries(stores.map((store) => [store, { icon: `${icons_path}/konbini.svg?brands=${store}` }]))

const line_item_view = ({ amount, description, quantity, image }: LineItem) => ({
  amount,
  description,
  quantity,
  image,
})

/** The result of a try to pay a session as a merchant sees it. */
export const PaidSessionResource = described(
  v.strictObject({
    redirect_url: described(
      v.nullable(v.string()),
      'Where you send the customer next: to `return_url`, or to a page on which the customer goes on. Null if the payment was declined, and if there is no such page.',
    ),
    status: described(v.picklist(session_statuses), 'Status of the session. It stays `pending` after a decline.'),
    payment: described(
      v.nullable(PaymentResource),
      'The payment of this try, which failed if `error` is set. Null in mode `customer`.',
    ),
    error: described(
      v.nullable(v.string()),
      'Sentence for the customer that says why the payment was declined, in `default_locale` of the session. The session can then be paid again. Null if the payment was not declined.',
    ),
  }),
  'The result of a try to pay a session.',
)
export type PaidSessionResource = v.InferOutput<typeof PaidSessionResource>

/** Shows the result of a try to pay a session. */
export const paid_session = viewOf(
  PaidSessionResource,
  ({
    redirect_url,
    session,
    payment: paid,
    error,
  }: {
    readonly redirect_url: string | null
    readonly session: Session
    readonly payment: Payment | undefined
    readonly error: string | null
  }): PaidSessionResource => ({
    redirect_url,
    status: session.status,
    payment: paid ? payment(paid) : null,
    error,
  }),
)
