import { card, EMAIL, names, order, PHONE } from './cards.ts'
import { type ExampleStep, idOf, type ScenarioStep, SHOP } from './example-step.ts'

const pays = (
  name: string,
  summary: string,
  payment_details: unknown,
  { status, ...more }: { readonly status?: number; readonly [field: string]: unknown } = {},
): ExampleStep => ({
  name,
  route: 'POST /payments',
  summary,
  request: () => ({ content: { ...order, payment_details, ...more } }),
  ...(status && { status }),
})

const paid_once = {
  ...order,
  tax: 'auto',
  payment_details: card(),
  description: '宇治抹茶 100 g、2缶',
  external_order_num: 'tea-1042',
  metadata: { gift_wrapping: true, shop: 'Kyoto' },
}
const with_key = { headers: { 'Idempotency-Key': 'tea-1042-payment' }, content: paid_once }

/** One payment of every important payment type, and the declines. */
const creations: readonly ScenarioStep[] = [
  { name: 'card', route: 'POST /payments', summary: 'Charge a card', request: () => with_key },
  {
    name: 'idempotent_replay',
    route: 'POST /payments',
    summary: 'The same request with the same Idempotency-Key: the stored response is returned, and nothing is charged',
    request: () => with_key,
  },
  pays('authorize_card', 'Authorize a card, and capture later', card(), { capture: false }),
  pays('three_d_secure', 'A card that needs 3-D Secure: send the customer to redirect_url', card('4100000000000100'), {
    return_url: `${SHOP}/orders/1043`,
  }),
  pays('konbini', 'Pay in a convenience store', {
    type: 'konbini',
    store: 'lawson',
    email: EMAIL,
    phone: PHONE,
    expiry_days: 3,
  }),
  pays('pay_easy', 'Pay by Pay-easy, at an ATM or in online banking', {
    type: 'pay_easy',
    email: EMAIL,
    phone: PHONE,
    ...names,
  }),
  pays('bank_transfer', 'Pay by bank transfer', { type: 'bank_transfer', email: EMAIL, phone: PHONE, ...names }),
  pays('prepaid', 'Pay with a prepaid number', { type: 'net_cash', email: EMAIL, prepaid_number: '1234567890123456' }),
  pays('wallet', 'Pay with a wallet: send the customer to redirect_url', { type: 'paypay' }, { return_url: SHOP }),
  {
    name: 'token',
    route: 'POST /payments',
    summary: 'Pay with a token that a browser has created',
    request: ({ create_token }) => ({ content: { ...order, payment_details: create_token.id } }),
  },
  {
    name: 'customer',
    route: 'POST /payments',
    summary: 'Charge the stored card of a customer',
    request: ({ create_customer }) => ({ content: { ...order, customer: create_customer.id } }),
  },
  ...(
    [
      ['card_declined', 'The bank declines the card', '4123111111111059'],
      ['insufficient_funds', 'The card has insufficient funds', '4123111111111000'],
      ['exceeds_limit', 'The amount exceeds the limit of the card', '4123111111111018'],
      ['bad_verification_value', 'The verification value is wrong', '4123111111111034'],
      ['card_expired', 'The bank reports that the card has expired', '4123111111111042'],
      ['invalid_number', 'The bank does not know the number', '4123111111111067'],
    ] as const
  ).map(([code, summary, number]) => pays(code, summary, card(number), { status: 402 })),
  pays('fraudulent', 'The payment is refused as suspected fraud', card('4123111111111083'), { status: 422 }),
]

/** What is done with payments after their creation. */
const operations: readonly ScenarioStep[] = [
  { name: 'show_payment', route: 'GET /payments/:id', summary: 'Show a payment', request: idOf('card') },
  {
    name: 'update_payment',
    route: 'PATCH /payments/:id',
    summary: 'Change the description',
    request: (known) => ({ ...idOf('card')(known), content: { description: '宇治抹茶 100 g、2缶(熨斗つき)' } }),
  },
  {
    name: 'capture',
    route: 'POST /payments/:id/capture',
    summary: 'Capture part of the authorized amount',
    request: (known) => ({ ...idOf('authorize_card')(known), content: { amount: 2160 } }),
  },
  pays('authorize_another_card', 'Authorize a card for an order that is cancelled below', card('5555555555554444'), {
    capture: false,
  }),
  { name: 'cancel', route: 'POST /payments/:id/cancel', summary: 'Cancel', request: idOf('authorize_another_card') },
  {
    name: 'partial_refund',
    route: 'POST /payments/:id/refund',
    summary: 'Refund a part',
    request: (known) => ({ ...idOf('card')(known), content: { amount: 1080, description: '一缶破損のため' } }),
  },
  { name: 'full_refund', route: 'POST /payments/:id/refund', summary: 'Refund the rest', request: idOf('card') },
  {
    name: 'refund_request',
    route: 'POST /payments/:id/refund_request',
    summary: 'Ask for a transfer to the bank account of a customer who paid with a prepaid number',
    request: (known) => ({
      ...idOf('prepaid')(known),
      content: {
        amount: 1080,
        customer_name: '佐藤花子',
        bank_name: 'みずほ銀行',
        bank_code: '0001',
        branch_name: '京都支店',
        branch_number: '591',
        account_type: 'normal',
        account_number: '1234567',
        description: '一缶破損のため',
      },
    }),
  },
  {
    name: 'list_payments',
    route: 'GET /payments',
    summary: 'The two newest captured payments in yen',
    request: () => ({ content: { status: 'captured', currency: 'JPY', per_page: 2 } }),
  },
]

const refusals: readonly ScenarioStep[] = [
  {
    name: 'missing_amount',
    route: 'POST /payments',
    summary: 'A required parameter is missing',
    request: () => ({ content: { currency: 'JPY', payment_details: card() } }),
    status: 422,
  },
  {
    name: 'unknown_store',
    route: 'POST /payments',
    summary: 'A parameter is invalid',
    request: () => ({ content: { ...order, payment_details: { type: 'konbini', store: 'kiosk', email: EMAIL } } }),
    status: 422,
  },
  {
    name: 'used_token',
    route: 'POST /payments',
    summary: 'A token is used a second time',
    request: ({ create_token }) => ({ content: { ...order, payment_details: create_token.id } }),
    status: 422,
  },
  {
    name: 'unknown_currency',
    route: 'POST /payments',
    summary: 'The currency does not exist',
    request: () => ({ content: { ...order, currency: 'YEN', payment_details: card() } }),
    status: 422,
  },
  {
    name: 'unknown_payment_type',
    route: 'POST /payments',
    summary: 'The payment type does not exist',
    request: () => ({ content: { ...order, payment_details: { type: 'cheque' } } }),
    status: 422,
  },
  {
    name: 'other_request_with_key',
    route: 'POST /payments',
    summary: 'An Idempotency-Key is used for another request',
    request: () => ({ ...with_key, content: { ...paid_once, amount: 1080 } }),
    status: 422,
  },
  {
    name: 'refund_twice',
    route: 'POST /payments/:id/refund',
    summary: 'Nothing is left to refund',
    request: idOf('card'),
    status: 422,
  },
  {
    name: 'capture_twice',
    route: 'POST /payments/:id/capture',
    summary: 'The payment is captured already',
    request: idOf('authorize_card'),
    status: 422,
  },
  {
    name: 'cancel_captured',
    route: 'POST /payments/:id/cancel',
    summary: 'A captured payment cannot be cancelled',
    request: idOf('authorize_card'),
    status: 422,
  },
]

export const payment_steps: readonly ScenarioStep[] = [...creations, ...operations, ...refusals]
