import { type Acquirer, DuplicateOrder, type Order, OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { type Platform, WriteConflict } from '#shared/platform/ports.ts'
import { sandboxKey } from '#shared/store/keys.ts'
import { attributesOf } from '#shared/store/kind.ts'
import { needsVerification, sandboxOutcome } from './sandbox-outcome.ts'

const SLOW_MILLISECONDS = 3_000

/** What the ledger stores of an order. */
interface LedgerEntry {
  readonly outcome: Outcome
}

/**
 * The acquirer of test mode, and of live mode where `live_acquirer` is `sandbox`. It stores every order that arrives in
 * a ledger, so an operation is executed once per key, an inquiry returns the true outcome, and a void that arrives
 * before its charge wins. `scenario` simulates what no card number can: `timeout_before_charge`,
 * `timeout_after_charge`, `duplicate_answer`, `slow`.
 */
export function sandbox(platform: Platform, merchant: string, scenario?: string): Acquirer {
  const { table, clock } = platform

  async function recorded(key: string): Promise<Outcome | undefined> {
    const [row] = await table.get([sandboxKey(merchant, key)])
    return row && attributesOf<LedgerEntry>(row).outcome
  }

  async function record(order: Order): Promise<Outcome> {
    const outcome = sandboxOutcome(order, clock.now())
    const row = {
      ...sandboxKey(merchant, order.key),
      version: 1,
      operation: order.operation,
      amount: order.amount,
      outcome,
    }
    const voided = {
      ...sandboxKey(merchant, order.charge),
      version: 1,
      operation: 'charge',
      amount: 0,
      outcome: overtaken,
    }
    const charge = order.operation === 'void' ? await recorded(order.charge) : undefined
    try {
      await table.write([
        { put: row, was: 0 },
        ...(order.operation === 'void' && !charge ? [{ put: voided, was: 0 }] : []),
      ])
      return outcome
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
      return (await recorded(order.key)) ?? record(order)
    }
  }

  return {
    async send(order) {
      if (scenario === 'timeout_before_charge') throw new OutcomeUnknown()
      if (scenario === 'slow') await clock.wait(SLOW_MILLISECONDS)
      const outcome = await record(order)
      if (scenario === 'timeout_after_charge') throw new OutcomeUnknown()
      if (scenario === 'duplicate_answer') throw new DuplicateOrder()
      return outcome
    },
    needsVerification,
    async inquire(key, { final = false } = {}) {
      const outcome = await recorded(key)
      if (outcome) return outcome
      const turnedAway: Outcome = { result: 'never_arrived' }
      if (final) await table.write([{ put: { ...sandboxKey(merchant, key), version: 1, outcome: turnedAway }, was: 0 }])
      return turnedAway
    },
  }
}

const overtaken: Outcome = { result: 'declined', code: 'other_error' }
