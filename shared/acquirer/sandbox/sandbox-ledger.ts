import type { Order } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { type Platform, type Write, WriteConflict } from '#shared/platform/ports.ts'
import { sandboxKey } from '#shared/store/keys.ts'
import { attributesOf } from '#shared/store/kind.ts'
import { sandboxOutcome } from './sandbox-outcome.ts'

/** What the ledger stores of an order. An order that never arrived has neither operation nor amount. */
interface LedgerEntry {
  readonly operation?: Order['operation']
  readonly amount?: number
  readonly outcome: Outcome
}

/** The outcome of a charge that arrives after its void. */
const overtaken: Outcome = { result: 'declined', code: 'other_error' }

/** The orders of a merchant that have arrived at the sandbox acquirer. Each order is executed once per key. */
export class SandboxLedger {
  readonly #platform: Platform
  readonly #merchant: string
  readonly #now: () => number

  constructor(platform: Platform, merchant: string, now = () => platform.clock.now()) {
    this.#platform = platform
    this.#merchant = merchant
    this.#now = now
  }

  /** The outcome of the order with this key; undefined if none has arrived. */
  async outcomeOf(key: string): Promise<Outcome | undefined> {
    const [row] = await this.#platform.table.get([sandboxKey(this.#merchant, key)])
    return row && attributesOf<LedgerEntry>(row).outcome
  }

  /**
   * Executes an order and returns its outcome. An order that has arrived before is not executed again. A void that
   * arrives before its charge also records an outcome for the charge, so the charge is declined when it arrives.
   */
  async execute(order: Order): Promise<Outcome> {
    const { key, operation, amount } = order
    const outcome = sandboxOutcome(order, this.#now())
    const charge = operation === 'void' ? await this.outcomeOf(order.charge) : undefined
    const is_early_void = operation === 'void' && !charge
    try {
      await this.#platform.table.write([
        this.#entry(key, { operation, amount, outcome }),
        ...(is_early_void ? [this.#entry(order.charge, { operation: 'charge', amount: 0, outcome: overtaken })] : []),
      ])
      return outcome
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
      return (await this.outcomeOf(key)) ?? this.execute(order)
    }
  }

  /** Records that the order with this key never arrived, so it is not executed if it arrives later. */
  async close(key: string): Promise<void> {
    await this.#platform.table.write([this.#entry(key, { outcome: { result: 'never_arrived' } })])
  }

  #entry(key: string, entry: LedgerEntry): Write {
    return { put: { ...sandboxKey(this.#merchant, key), version: 1, ...entry }, was: 0 }
  }
}
