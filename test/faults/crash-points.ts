import type { FileBucket } from '#infra/local/file-bucket.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { VirtualClock } from '#infra/local/virtual-clock.ts'
import { type Bucket, PlatformUnavailable, type Table, type Vault, type Write } from '#shared/platform/ports.ts'
import { type Fate, FaultyTable, type Operation } from './faulty-table.ts'

type Call = Operation | 'seal' | 'open' | 'put' | 'remove' | 'wait'

/** Decides what happens to the `n`th call of the platform, counted from 1 since the plan was armed. */
export type Plan = (n: number, operation: Call) => Fate

/**
 * Wraps the table, vault and bucket of a service, as the `around` of `openApi`. It counts the calls, makes them fail as
 * the armed plan says, and records the committed transactions.
 */
export class CrashPoints {
  /** The calls since a plan was armed. */
  readonly operations: Call[] = []
  get calls(): number {
    return this.operations.length
  }

  /** Settles when the call that was held up is done. The request of that call may already have its response. */
  held: Promise<unknown> = Promise.resolve()
  /** Every transaction that was committed, in order. */
  readonly journal: (readonly Write[])[] = []
  #plan: Plan | undefined
  #meanwhile: { readonly at: number; readonly act: () => Promise<unknown> } | undefined

  /** Begins to count calls, and to make them fail as the plan says. */
  arm(plan: Plan = () => 'ok'): void {
    this.operations.splice(0)
    this.#plan = plan
  }

  /** Holds up the call of that number until `act` is done. The calls of `act` do not fail. */
  armMeanwhile(at: number, act: () => Promise<unknown>): void {
    this.arm()
    this.#meanwhile = { at, act }
  }

  /** Ends the failures and the counting. */
  disarm(): void {
    this.#plan = undefined
    this.#meanwhile = undefined
  }

  readonly around = (platform: LocalPlatform): LocalPlatform => ({
    ...platform,
    clock: this.#clock(platform.clock),
    table: this.#table(platform.table),
    vault: this.#vault(platform.vault),
    bucket: this.#bucket(platform.bucket),
  })

  #fate(operation: Call): Fate {
    if (!this.#plan) return 'ok'
    return this.#plan(this.operations.push(operation), operation)
  }

  /** Makes a call. If `armMeanwhile` chose this call, runs its `act` first. */
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

  async #meets<T>(operation: Call, done: () => Promise<T>): Promise<T> {
    const fate = this.#fate(operation)
    if (fate === 'fail_before') throw new PlatformUnavailable('failed before the call was done')
    const answer = await done()
    if (fate === 'fail_after') throw new PlatformUnavailable('failed after the call was done')
    return answer
  }

  #vault(vault: Vault): Vault {
    return {
      seal: (plain, context) => this.#called(() => this.#meets('seal', () => vault.seal(plain, context))),
      open: (sealed, context) => this.#called(() => this.#meets('open', () => vault.open(sealed, context))),
    }
  }

  /**
   * While a plan is armed, a wait before the next try turns the frozen clock, as nobody else does. A killed process does
   * not wait. A wait with a signal is a time-out: it is left to the test.
   */
  #clock(clock: VirtualClock): VirtualClock {
    const wait: VirtualClock['wait'] = async (milliseconds, signal) => {
      if (!this.#plan || signal) return clock.wait(milliseconds, signal)
      if (this.#plan(this.operations.length + 1, 'wait') !== 'ok') throw new Error('the process was killed')
      clock.turnTo(clock.now() + milliseconds)
    }
    return new Proxy(clock, {
      get: (target, name) => {
        const value: unknown = name === 'wait' ? wait : Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }

  #bucket(bucket: FileBucket): FileBucket {
    const met: Pick<Bucket, 'put' | 'remove'> = {
      put: (name, bytes) => this.#called(() => this.#meets('put', () => bucket.put(name, bytes))),
      remove: (name) => this.#called(() => this.#meets('remove', () => bucket.remove(name))),
    }
    return new Proxy(bucket, {
      get: (target, name) => {
        const value: unknown = name in met ? met[name as keyof typeof met] : Reflect.get(target, name, target)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
  }
}

/** Returns the plan in which one call fails. If the process is killed by it, all later calls fail too. */
export const failingAt =
  (at: number, fate: Fate, { is_killed = false } = {}): Plan =>
  (n) =>
    n === at ? fate : is_killed && n > at ? 'fail_before' : 'ok'
