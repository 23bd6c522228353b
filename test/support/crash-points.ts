import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { SqliteTable } from '#infra/local/sqlite-table.ts'
import { PlatformUnavailable, type Table, type Vault, type Write } from '#shared/platform/ports.ts'
import { type Fate, FaultyTable, type Operation } from './faulty-table.ts'

/** What happens to the `n`th call of the platform, counted from 1 since the plan was armed. */
export type Plan = (n: number, operation: Operation | 'seal' | 'open') => Fate

/**
 * Stands between the service and its table and vault, as the `around` of `openApi`: makes calls fail where the armed plan
 * says so, counts them, and keeps what was committed.
 */
export class CrashPoints {
  /** The calls since a plan was armed. */
  readonly operations: (Operation | 'seal' | 'open')[] = []
  get calls(): number {
    return this.operations.length
  }

  /** Settles when the call that was held up is done, which may be after its request was answered. */
  held: Promise<unknown> = Promise.resolve()
  /** Every transaction that was committed, in order. */
  readonly journal: (readonly Write[])[] = []
  #plan: Plan | undefined
  #meanwhile: { readonly at: number; readonly act: () => Promise<unknown> } | undefined

  /** From now on calls are counted and meet what the plan deals out. */
  arm(plan: Plan = () => 'ok'): void {
    this.operations.splice(0)
    this.#plan = plan
  }

  /** Holds up the call of that number until `act` is done, which meets no failures. */
  armMeanwhile(at: number, act: () => Promise<unknown>): void {
    this.arm()
    this.#meanwhile = { at, act }
  }

  /** From now on all calls are well again, and not counted. */
  disarm(): void {
    this.#plan = undefined
    this.#meanwhile = undefined
  }

  readonly around = (platform: LocalPlatform): LocalPlatform => ({
    ...platform,
    table: this.#table(platform.table),
    vault: this.#vault(platform.vault),
  })

  #fate(operation: Operation | 'seal' | 'open'): Fate {
    if (!this.#plan) return 'ok'
    return this.#plan(this.operations.push(operation), operation)
  }

  /** Does the call now, or after what comes in between. */
  #called<T>(call: () => Promise<T>): Promise<T> {
    if (!this.#plan || this.#meanwhile?.at !== this.operations.length + 1) return call()
    const { act } = this.#meanwhile
    const plan = this.#plan
    this.disarm()
    const done = act().then(() => {
      this.#plan = plan
      return call()
    })
    this.held = done.catch(() => undefined)
    return done
  }

  #table(table: SqliteTable): SqliteTable {
    const journaled: Table = {
      get: (keys) => table.get(keys),
      query: (range) => table.query(range),
      count: (range) => table.count(range),
      due: (range) => table.due(range),
      write: async (writes, options) => {
        const copy = structuredClone(writes)
        await table.write(writes, options)
        this.journal.push(copy)
      },
    }
    const faulty = new FaultyTable(journaled, ({ operation }) => this.#fate(operation))
    return new Proxy(table, {
      get: (target, name) => {
        const owner = name in journaled ? faulty : target
        const value: unknown = Reflect.get(owner, name, owner)
        if (typeof value !== 'function') return value
        const method = value.bind(owner)
        return owner === faulty ? (...call: unknown[]) => this.#called(() => method(...call)) : method
      },
    })
  }

  #vault(vault: Vault): Vault {
    const meet = async (operation: 'seal' | 'open', done: () => Promise<Uint8Array>) => {
      const fate = this.#fate(operation)
      if (fate === 'fail_before') throw new PlatformUnavailable('cut off before it was done')
      const answer = await done()
      if (fate === 'fail_after') throw new PlatformUnavailable('cut off after it was done')
      return answer
    }
    return {
      seal: (plain, context) => this.#called(() => meet('seal', () => vault.seal(plain, context))),
      open: (sealed, context) => this.#called(() => meet('open', () => vault.open(sealed, context))),
    }
  }
}

/** One call meets the fate; where the process dies of it, all calls after it fail. */
export const failingAt =
  (at: number, fate: Fate, { dies = false } = {}): Plan =>
  (n) =>
    n === at ? fate : dies && n > at ? 'fail_before' : 'ok'
