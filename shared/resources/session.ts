import * as v from 'valibot'
import type { Payment } from '#shared/domain/payment.ts'
import { isExpired, type LineItem, type Session } from '#shared/domain/session.ts'
import { brands_of, konbini_stores, methodsOf } from '#shared/domain/session-methods.ts'
import { isBeingPaid } from '#shared/domain/session-states.ts'
import { optional, text } from './fields.ts'
import { payment } from './payment.ts'
import { session_payment_details } from './payment-details.ts'

/**
 * How a session is paid: with payment details, of which a text is the id of a token, or with the stored card of the
 * session's customer. Exactly one of the two is required.
 */
export const PaySession = v.pipe(
  v.object({ customer: optional(text(255)), payment_details: optional(session_payment_details) }),
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

/** A session as a merchant sees it, with its payment. */
export function session(record: Session, { payment: paid, session_url, icons_path, now }: SessionContext) {
  return {
    id: record.id,
    resource: 'session' as const,
    mode: record.mode,
    amount: record.amount,
    currency: record.currency,
    session_url,
    return_url: record.return_url,
    default_locale: record.default_locale,
    payment_methods: methodsOf(record).map(({ type, fee, total, offsite, additional_fields }) => ({
      type,
      brands: type === 'konbini' ? storesWithIcons(icons_path) : (brands_of[type] ?? []),
      offsite,
      additional_fields,
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
  }
}

const storesWithIcons = (icons_path: string) =>
  Object.fromEntries(konbini_stores.map((store) => [store, { icon: `${icons_path}/konbini.svg?brands=${store}` }]))

const line_item_view = ({ amount, description, quantity, image }: LineItem) => ({
  amount,
  description,
  quantity,
  image,
})

/** The result of a try to pay a session. `error` is a sentence that can be shown to the merchant. */
export function paid_session({
  redirect_url,
  session,
  payment: paid,
  declined,
}: {
  readonly redirect_url: string | null
  readonly session: Session
  readonly payment: Payment | undefined
  readonly declined: { readonly message: string } | null
}) {
  return {
    redirect_url,
    status: session.status,
    payment: paid ? payment(paid) : null,
    error: declined?.message ?? null,
  }
}
