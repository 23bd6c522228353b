import { browserChecks } from './browser-checks.ts'
import type { Check } from './check.ts'
import { customerChecks } from './customer-checks.ts'
import { paymentChecks } from './payment-checks.ts'
import { refusalChecks } from './refusal-checks.ts'

/** What is checked, in this order. Each check makes what it needs, so one that fails takes no other with it. */
export const checks: readonly Check[] = [...refusalChecks, ...paymentChecks, ...customerChecks, ...browserChecks]
