import type Stripe from 'stripe'
import type { Order } from '#shared/acquirer/acquirer.ts'
import type { CardDetails, PaymentDetails } from '#shared/domain/payment-details.ts'
import type { StripeCalls } from './calls.ts'

/**
 * Returns what the confirmation of a charge says about its payment method. The number of a card is sent in a call of
 * its own, because a confirmation does not take one.
 */
export async function methodOf(
  calls: StripeCalls,
  details: PaymentDetails,
  order: Order,
): Promise<Stripe.PaymentIntentConfirmParams> {
  switch (details.type) {
    case 'credit_card':
      return {
        payment_method: await cardMethod(calls, details),
        // No customer is present to pass 3-D Secure when an interval is charged.
        ...(order.interval !== null && { off_session: true }),
      }
    case 'konbini':
      return {
        payment_method_data: { type: 'konbini', konbini: {}, billing_details: payerOf(details) },
        payment_method_options: {
          konbini: { expires_at: Math.floor(Date.parse(order.deadline) / 1000), ...descriptionOf(order) },
        },
      }
    case 'bank_transfer':
      return {
        payment_method_data: { type: 'customer_balance', customer_balance: {} },
        payment_method_options: {
          customer_balance: { funding_type: 'bank_transfer', bank_transfer: { type: 'jp_bank_transfer' } },
        },
      }
    case 'alipay':
      return { payment_method_data: { type: 'alipay', alipay: {} } }
    case 'wechatpay':
      return {
        payment_method_data: { type: 'wechat_pay', wechat_pay: {} },
        payment_method_options: { wechat_pay: { client: 'web' } },
      }
    default:
      throw new RangeError('Stripe does not have this payment type')
  }
}

/** Sends the number of a card to Stripe and returns the id of its payment method. It moves no money. */
export async function cardMethod(calls: StripeCalls, details: CardDetails): Promise<string> {
  const { number, month: exp_month, year: exp_year, verification_value: cvc, email } = details
  const name = details.name ?? [details.given_name, details.family_name].filter(Boolean).join(' ')
  const params: Stripe.PaymentMethodCreateParams = {
    type: 'card',
    card: { number, exp_month, exp_year, ...(cvc !== undefined && { cvc }) },
    billing_details: { ...(name && { name }), ...(email !== undefined && { email }) },
  }
  return (await calls.call((stripe, options) => stripe.paymentMethods.create(params, options), { limit: 'create' })).id
}

/** The name and the address that a convenience store needs. Payment details of the type have no name. */
const payerOf = ({ email = '' }: PaymentDetails) => ({ email, name: email.split('@')[0]! })

/** The most characters of a description at a convenience store. */
const DESCRIPTION_CHARACTERS_MAX = 22

/** The name of the shop, which the customer sees at the store. A name that does not fit is left out. */
const descriptionOf = ({ shop }: Order) =>
  shop !== undefined && shop.length <= DESCRIPTION_CHARACTERS_MAX ? { product_description: shop } : {}
