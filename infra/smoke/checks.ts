import { browserChecks } from './browser-checks.ts'
import type { Check } from './check.ts'
import { customerChecks } from './customer-checks.ts'
import { docsChecks } from './docs-checks.ts'
import { paymentChecks } from './payment-checks.ts'
import { refusalChecks } from './refusal-checks.ts'

/** All checks, in the order in which they run. Each check creates what it needs, so it passes or fails alone. */
export const checks: readonly Check[] = [
  ...refusalChecks,
  ...paymentChecks,
  ...customerChecks,
  ...browserChecks,
  ...docsChecks,
]
