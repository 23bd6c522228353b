import type Stripe from 'stripe'
import type { Order } from '#shared/acquirer/acquirer.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { isStripeStore, stripe_stores } from './methods.ts'

type NextAction = Stripe.PaymentIntent.NextAction

/** What a customer must know to pay, and whether the customer pays in cash or off-site. */
interface Shown {
  readonly result: 'authorized' | 'pending'
  readonly shown: Readonly<Record<string, string>>
  readonly until?: string
}

/**
 * Returns what the next action of a PaymentIntent shows to the customer; null for an action that cannot be shown. A page
 * to which the customer is sent is `pending`, and a reservation that is paid in cash is `authorized`.
 */
export function shownTo(action: NextAction | null, order: Order): Shown | null {
  switch (action?.type) {
    case 'redirect_to_url':
      return redirect(action.redirect_to_url?.url)
    case 'alipay_handle_redirect':
      return redirect(action.alipay_handle_redirect?.url)
    case 'wechat_pay_display_qr_code':
      return redirect(action.wechat_pay_display_qr_code?.hosted_instructions_url)
    case 'konbini_display_details':
      return voucher(action.konbini_display_details, order)
    case 'display_bank_transfer_instructions':
      return account(action.display_bank_transfer_instructions, order)
    default:
      return null
  }
}

const redirect = (url: string | null | undefined): Shown | null =>
  url ? { result: 'pending', shown: { redirect_url: url } } : null

function voucher(
  details: Stripe.PaymentIntent.NextAction.KonbiniDisplayDetails | undefined,
  order: Order,
): Shown | null {
  const { store, instructions_url } = order
  const codes = details && store !== null && isStripeStore(store) ? details.stores[stripe_stores[store]] : null
  if (!details || !codes) return null
  const { payment_code: receipt, confirmation_number } = codes
  return {
    result: 'authorized',
    shown: { receipt, ...(confirmation_number && { confirmation_code: confirmation_number }), instructions_url },
    until: timestamp(details.expires_at * 1000),
  }
}

/** The kinds of Japanese bank account, as customers know them. */
const account_types: Readonly<Record<string, string>> = { futsu: '普通', toza: '当座', chochiku: '貯蓄' }

function account(
  instructions: Stripe.PaymentIntent.NextAction.DisplayBankTransferInstructions | undefined,
  { instructions_url }: Order,
): Shown | null {
  const zengin = instructions?.financial_addresses?.find(({ type }) => type === 'zengin')?.zengin
  if (!instructions?.reference || !zengin) return null
  const { bank_name, branch_name, account_number, account_type, account_holder_name } = zengin
  if (!bank_name || !branch_name || !account_number || !account_type || !account_holder_name) return null
  return {
    result: 'authorized',
    shown: {
      ...{ order_id: instructions.reference, bank_name, account_branch_name: branch_name, account_number },
      ...{ account_type: account_types[account_type] ?? account_type, account_name: account_holder_name },
      instructions_url,
    },
  }
}
