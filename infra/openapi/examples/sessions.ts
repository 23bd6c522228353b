import { card, EMAIL, order } from './cards.ts'
import { idOf, type ScenarioStep, SHOP } from './example-step.ts'

const line_items = [
  { description: '宇治抹茶 100 g', amount: 1620, quantity: 1, image: `${SHOP}/images/matcha.jpg` },
  { description: '玉露 50 g', amount: 1620, quantity: 1, image: `${SHOP}/images/gyokuro.jpg` },
]

/** A session that is paid after a decline, and one that is cancelled. */
export const session_steps: readonly ScenarioStep[] = [
  {
    name: 'create_session',
    route: 'POST /sessions',
    summary: 'Send the customer to the hosted page at session_url',
    request: () => ({
      content: {
        ...order,
        return_url: `${SHOP}/orders/1044`,
        payment_types: ['credit_card', 'konbini', 'paypay'],
        email: EMAIL,
        line_items,
        external_order_num: 'tea-1044',
      },
    }),
  },
  { name: 'show_session', route: 'GET /sessions/:id', summary: 'Show a session', request: idOf('create_session') },
  {
    name: 'declined_session',
    route: 'POST /sessions/:id/pay',
    summary: 'The card is declined. The customer can try again',
    request: (known) => ({
      ...idOf('create_session')(known),
      content: { payment_details: card('4123111111111000') },
    }),
  },
  {
    name: 'pay_session',
    route: 'POST /sessions/:id/pay',
    summary: 'Pay a session with a card',
    request: (known) => ({ ...idOf('create_session')(known), content: { payment_details: card() } }),
  },
  {
    name: 'create_minimal_session',
    route: 'POST /sessions',
    summary: 'A session with only the required parameters',
    request: () => ({ content: order }),
  },
  {
    name: 'create_card_session',
    route: 'POST /sessions',
    summary: 'Store a card without a payment',
    request: () => ({ content: { mode: 'customer', email: EMAIL, return_url: `${SHOP}/cards` } }),
  },
  {
    name: 'cancel_session',
    route: 'POST /sessions/:id/cancel',
    summary: 'Cancel a session',
    request: idOf('create_card_session'),
  },
  {
    name: 'create_session_of_customer',
    route: 'POST /sessions',
    summary: 'Offer the stored card of a customer on the page',
    request: (known) => ({
      content: {
        ...order,
        return_url: `${SHOP}/orders/1045`,
        payment_types: ['credit_card'],
        customer: known.create_customer.id,
      },
    }),
  },
  {
    name: 'pay_session_with_stored_card',
    route: 'POST /sessions/:id/pay',
    summary: 'Pay a session with the stored card of its customer',
    request: (known) => ({
      ...idOf('create_session_of_customer')(known),
      content: { customer: known.create_customer.id },
    }),
  },
  { name: 'list_payment_methods', route: 'GET /payment_methods', summary: 'List the payment types' },
]
