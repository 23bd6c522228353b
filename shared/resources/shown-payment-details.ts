import * as v from 'valibot'
import { card_brands } from '#shared/domain/payment-details.ts'
import { konbini_stores } from '#shared/domain/session-methods.ts'
import { described, shown_count, shown_url } from './answer-fields.ts'

const typed = <const Type extends string>(type: Type) =>
  v.pipe(v.literal(type), v.metadata({ type: 'string' }), v.description(`Payment type: \`${type}\`.`))

const email = described(v.nullable(v.string()), "The customer's e-mail address, or null if none was given.")

const last_four_digits = described(
  v.nullable(v.string()),
  'The last four characters of the prepaid number. Null for a number of fewer than eight characters.',
)

const instructions_url = v.exactOptional(
  described(shown_url, 'Page that shows the customer how to pay. Absent until the provider has reserved the payment.'),
)

const redirect_url = v.exactOptional(
  described(shown_url, 'Page to which you send the customer next. Absent until the provider has accepted the payment.'),
)

/** A code that the provider issues for a cash payment. */
const issued = (text: string) =>
  v.exactOptional(described(v.string(), `${text} Absent until the provider has reserved the payment.`))

/** What is shown of a card. */
export const CardDetailsResource = v.strictObject({
  type: typed('credit_card'),
  email,
  brand: described(v.nullable(v.picklist(card_brands)), 'Brand of the card, or null if the brand is not known.'),
  last_four_digits: described(v.string(), 'The last four digits of the card number.'),
  month: described(
    v.pipe(shown_count, v.minValue(1), v.maxValue(12)),
    'Month in which the card expires, from 1 to 12.',
  ),
  year: described(shown_count, 'Year in which the card expires, with four digits.'),
  redirect_url: v.exactOptional(
    described(shown_url, 'Page of the 3-D Secure challenge, to which you send the customer. Absent for other cards.'),
  ),
})

/** What is shown of a payment in a convenience store. */
export const KonbiniDetailsResource = v.strictObject({
  type: typed('konbini'),
  email,
  store: described(v.picklist(konbini_stores), 'Convenience store in which the customer pays.'),
  confirmation_code: issued('Confirmation number, which the customer needs in the store.'),
  receipt: issued('Receipt number, which the customer needs in the store.'),
  instructions_url,
})

/** What is shown of a payment by Pay-easy. */
export const PayEasyDetailsResource = v.strictObject({
  type: typed('pay_easy'),
  email,
  bank_id: issued('Institution number, which the customer enters.'),
  customer_id: issued('Customer number, which the customer enters. It is not the id of a `customer`.'),
  confirmation_id: issued('Confirmation number, which the customer enters.'),
  instructions_url,
})

/** What is shown of a payment by bank transfer. */
export const BankTransferDetailsResource = v.strictObject({
  type: typed('bank_transfer'),
  email,
  order_id: issued('Transfer number, which identifies the payment.'),
  bank_name: issued('Bank to which the customer transfers the money.'),
  account_branch_name: issued('Branch of the bank.'),
  account_number: issued('Number of the bank account.'),
  account_type: issued('Kind of the bank account, in Japanese, such as `普通` (ordinary).'),
  account_name: issued('Holder of the bank account.'),
  instructions_url,
})

/** What is shown of a payment with a prepaid number. */
export const PrepaidDetailsResource = v.strictObject({
  type: described(v.picklist(['bit_cash', 'net_cash', 'web_money']), 'Payment type with a prepaid number.'),
  email,
  last_four_digits,
})

/** What is shown of a payment from the customer's account at a retailer. */
export const RetailerAccountDetailsResource = v.strictObject({ type: typed('retailer_account'), email })

const off_site_type = described(
  v.picklist([
    ...(['paysafe_cash', 'mobile', 'japan_mobile', 'paypay', 'merpay', 'rakutenpay'] as const),
    ...(['aupay', 'linepay', 'alipay', 'wechatpay', 'paidy'] as const),
  ]),
  'Payment type whose customer pays on the site of a provider.',
)

/** What is shown of a payment on the site of a provider. */
export const OffSiteDetailsResource = v.strictObject({ type: off_site_type, email, redirect_url })

/** What is shown of the payment details of a payment. `type` determines the fields. */
export const PaymentDetailsResource = described(
  v.variant('type', [
    CardDetailsResource,
    KonbiniDetailsResource,
    PayEasyDetailsResource,
    BankTransferDetailsResource,
    PrepaidDetailsResource,
    RetailerAccountDetailsResource,
    OffSiteDetailsResource,
  ]),
  'How the customer pays. `type` determines the fields. Full numbers, passwords and verification values are never shown.',
)
export type PaymentDetailsResource = v.InferOutput<typeof PaymentDetailsResource>

/** What is shown of the payment details of a token: the fields of a payment, without codes and pages of a provider. */
export const TokenDetailsResource = described(
  v.variant('type', [
    v.omit(CardDetailsResource, ['redirect_url']),
    v.pick(KonbiniDetailsResource, ['type', 'email', 'store']),
    v.pick(PayEasyDetailsResource, ['type', 'email']),
    v.pick(BankTransferDetailsResource, ['type', 'email']),
    PrepaidDetailsResource,
    RetailerAccountDetailsResource,
    v.pick(OffSiteDetailsResource, ['type', 'email']),
  ]),
  'The payment details that the token stands for, as far as they can be shown. `type` determines the fields.',
)
export type TokenDetailsResource = v.InferOutput<typeof TokenDetailsResource>
