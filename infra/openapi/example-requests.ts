import { account_steps, brand_steps } from './examples/accounts.ts'
import { customer_steps, ended_subscription_steps, subscription_steps } from './examples/customers.ts'
import type { ScenarioStep } from './examples/example-step.ts'
import { onboarding_steps } from './examples/onboarding.ts'
import { payment_steps } from './examples/payments.ts'
import { session_steps } from './examples/sessions.ts'
import { test_clock_steps } from './examples/test-clock.ts'
import { delivery_steps, webhook_steps } from './examples/webhooks.ts'

/**
 * The scenario from which the examples of the API description are recorded: what a tea shop does in test mode. It has
 * a successful request of every row, and emits every type of event. A step can refer to the responses of earlier ones.
 */
export const example_requests: readonly ScenarioStep[] = [
  ...webhook_steps,
  ...customer_steps,
  ...payment_steps,
  { pays: ({ pay_easy }) => pay_easy.id },
  { completes_refund_request: ({ refund_request }) => refund_request.refund_requests[0].id },
  ...session_steps,
  ...subscription_steps,
  ...account_steps,
  ...onboarding_steps,
  ...brand_steps,
  // After twenty days, the konbini payment is expired, the weekly subscription is suspended, and weeks are settled.
  { advance_seconds: 20 * 86_400 },
  ...ended_subscription_steps,
  ...delivery_steps,
  ...test_clock_steps,
]
