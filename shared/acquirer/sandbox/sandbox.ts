import { type Acquirer, DuplicateOrder, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Scenario } from '#shared/domain/scenario.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { SandboxLedger } from './sandbox-ledger.ts'
import { needsVerification } from './sandbox-outcome.ts'

const SLOW_MILLISECONDS = 3_000

/**
 * The acquirer of test mode, and of live mode where `live_acquirer` is `sandbox`. A ledger stores every order that
 * arrives, so an order is executed once per key and an inquiry returns the true outcome. A charge that arrives after
 * its void is declined. `scenario` simulates a fault that no card number can simulate. Every payment type is accepted.
 * A page of ours stands in for the cardholder's bank.
 */
export function sandbox(
  platform: Platform,
  merchant: string,
  scenario?: Scenario,
  now = () => platform.clock.now(),
): Acquirer {
  const ledger = new SandboxLedger(platform, merchant, now)
  return {
    accepts() {},
    repeats: new Set(['void'] as const),
    async send(order) {
      if (scenario === 'timeout_before_charge') throw new OutcomeUnknown()
      if (scenario === 'slow') await platform.clock.wait(SLOW_MILLISECONDS)
      const outcome = await ledger.execute(order)
      if (scenario === 'timeout_after_charge') throw new OutcomeUnknown()
      if (scenario === 'duplicate_answer') throw new DuplicateOrder()
      return outcome
    },
    async inquire({ key }, { final = false }) {
      const outcome = await ledger.outcomeOf(key)
      if (outcome) return outcome
      if (final) await ledger.close(key)
      return { result: 'never_arrived' }
    },
    verify: async ({ details }) => ({
      needs_verification: needsVerification(details),
      redirect_url: null,
      reference: null,
    }),
  }
}
