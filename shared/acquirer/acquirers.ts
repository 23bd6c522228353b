import { Refusal } from '#shared/domain/errors.ts'
import type { Mode, Payment, Provider } from '#shared/domain/payment.ts'
import type { Platform } from '#shared/platform/ports.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import type { Acquirer } from './acquirer.ts'
import { refuseDuringOutage, withOutages } from './outage.ts'
import type { Reports } from './reports.ts'
import { sandbox } from './sandbox/sandbox.ts'
import { stripe } from './stripe/acquirer.ts'
import type { StripeAccess } from './stripe/calls.ts'
import { stripeReports } from './stripe/reports.ts'

/** The adapters of the acquirer port. A provider without an adapter cannot be used. */
export const acquirers: Partial<Record<Provider, (work: UnitOfWork, mode: Mode) => Acquirer>> = {
  sandbox: (work, mode) =>
    sandbox(work.platform, work.merchant, mode === 'test' ? work.scenario : undefined, () => work.now()),
  stripe: ({ platform }) => stripe(stripeAccess(platform)),
}

/** The part of a payment that decides its acquirer. */
type Charged = Pick<Payment, 'provider'>

/**
 * The provider of new payments of a mode, or of a payment that exists: a payment ends at the provider where it began,
 * whatever the stage uses now. A payment that is older than its field `provider` began at the sandbox. Null on a stage
 * without an acquirer for live payments.
 */
export function providerOf({ platform }: UnitOfWork, mode: Mode, payment?: Charged): Provider | null {
  if (payment?.provider) return payment.provider
  if (mode === 'test') return 'sandbox'
  if (platform.live_acquirer === 'none') return null
  return payment ? 'sandbox' : platform.live_acquirer
}

/**
 * Whether charges of this merchant are simulated and move no money. On the hosted pages, the merchant's customers then
 * decide in place of their banks. A payment that exists is simulated if it began at the sandbox.
 */
export const isSandbox = (work: UnitOfWork, payment?: Charged): boolean =>
  providerOf(work, work.mode, payment) === 'sandbox'

/**
 * The acquirer of new payments of a mode, or of a payment that exists. Refuses live payments with `service_unavailable`
 * on a stage without an acquirer.
 */
export function acquirerOf(work: UnitOfWork, mode: Mode, payment?: Charged): Acquirer {
  const provider = providerOf(work, mode, payment)
  const make = provider && acquirers[provider]
  if (!make) throw notSetUp()
  const acquirer = make(work, mode)
  return provider === 'sandbox' ? acquirer : withOutages(acquirer, work.platform.clock)
}

/**
 * Refuses with `service_unavailable` an operation that is about to begin while its provider does not answer. The sandbox
 * has no outages. Without a payment, the operation is one of a payment that does not exist yet.
 */
export function refuseWithoutAnswers(work: UnitOfWork, payment?: Charged): void {
  if (!isSandbox(work, payment)) refuseDuringOutage(work.platform.clock)
}

/** What Stripe reports by itself. Refuses with `service_unavailable` on a stage that never used Stripe. */
export const reportsOf = (platform: Platform): Reports => stripeReports(stripeAccess(platform))

function stripeAccess({ provider_access, clock, log }: Platform): StripeAccess {
  if (!provider_access) throw notSetUp()
  return { ...provider_access, clock, log }
}

const notSetUp = (): Refusal =>
  new Refusal('service_unavailable', {
    message: 'Live payments are not set up here yet. Use a test key (sk_test_…).',
  })
