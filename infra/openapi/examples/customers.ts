import { card, EMAIL, order } from './cards.ts'
import { idOf, type ScenarioStep, SHOP } from './example-step.ts'

/** Tokens, secure tokens and customers. */
export const customer_steps: readonly ScenarioStep[] = [
  {
    name: 'create_token',
    route: 'POST /tokens',
    summary: 'Create a token for a card',
    request: () => ({ content: { payment_details: card() } }),
  },
  {
    name: 'create_secure_token',
    route: 'POST /secure_tokens',
    summary: 'Begin 3-D Secure: send the customer to authentication_url',
    request: () => ({
      content: { ...order, return_url: `${SHOP}/checkout`, payment_details: card('4100000000000100') },
    }),
  },
  {
    name: 'show_secure_token',
    route: 'GET /secure_tokens/:id',
    summary: 'The customer has not passed 3-D Secure yet',
    request: idOf('create_secure_token'),
  },
  {
    name: 'create_customer',
    route: 'POST /customers',
    summary: 'Store a card on a customer',
    request: () => ({ content: { payment_details: card(), email: EMAIL, metadata: { member_number: 'tea-0007' } } }),
  },
  { name: 'show_customer', route: 'GET /customers/:id', summary: 'Show a customer', request: idOf('create_customer') },
  {
    name: 'update_customer',
    route: 'PATCH /customers/:id',
    summary: 'Replace the stored card',
    request: (known) => ({ ...idOf('create_customer')(known), content: { payment_details: card('5555555555554444') } }),
  },
  {
    name: 'list_customers',
    route: 'GET /customers',
    summary: 'Find customers by e-mail address',
    request: () => ({ content: { email: EMAIL } }),
  },
  {
    name: 'create_unpaying_customer',
    route: 'POST /customers',
    summary: 'A sandbox card that pays the first interval of a subscription and is declined after it',
    request: () => ({ content: { payment_details: card('4123111111112008'), email: 'jiro@example.com' } }),
  },
  {
    name: 'create_leaving_customer',
    route: 'POST /customers',
    summary: 'Store a customer who is deleted below',
    request: () => ({ content: { payment_details: card(), email: 'saburo@example.com' } }),
  },
  {
    name: 'delete_customer',
    route: 'DELETE /customers/:id',
    summary: 'Delete a customer and the stored card',
    request: idOf('create_leaving_customer'),
  },
]

/** Subscriptions, of which one fails after its first interval. */
export const subscription_steps: readonly ScenarioStep[] = [
  {
    name: 'create_subscription',
    route: 'POST /subscriptions',
    summary: 'Charge 1,620 yen each month',
    request: ({ create_customer }) => ({
      content: {
        customer: create_customer.id,
        amount: '1620',
        currency: 'JPY',
        period: 'monthly',
        metadata: { plan: 'tea-of-the-month' },
      },
    }),
  },
  {
    name: 'create_failing_subscription',
    route: 'POST /subscriptions',
    summary: 'Charge 540 yen each week',
    request: ({ create_unpaying_customer }) => ({
      content: { customer: create_unpaying_customer.id, amount: '540', currency: 'JPY', period: 'weekly' },
    }),
  },
  {
    name: 'show_subscription',
    route: 'GET /subscriptions/:id',
    summary: 'Show a subscription',
    request: idOf('create_subscription'),
  },
  {
    name: 'list_subscriptions',
    route: 'GET /subscriptions',
    summary: 'The active subscriptions of a customer',
    request: ({ create_customer }) => ({ content: { customer: create_customer.id, status: 'active' } }),
  },
]

/** What follows after the intervals of the failing subscription have passed. */
export const ended_subscription_steps: readonly ScenarioStep[] = [
  {
    name: 'show_suspended_subscription',
    route: 'GET /subscriptions/:id',
    summary: 'A subscription that is suspended after four failed captures',
    request: idOf('create_failing_subscription'),
  },
  {
    name: 'delete_subscription',
    route: 'DELETE /subscriptions/:id',
    summary: 'End a subscription',
    request: idOf('create_subscription'),
  },
]
