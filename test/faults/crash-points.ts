import type { FileBucket } from '#infra/local/file-bucket.ts'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { SqliteTable } from '#infra/local/sqlite-table.ts'
import { type Bucket, PlatformUnavailable, type Table, type Vault, type Write } from '#shared/platform/ports.ts'
import { type Fate, FaultyTable, type Operation } from './faulty-table.ts'

type Call = Operation | 'seal' | 'open' | 'put' | 'remove'

/** What happens to the `n`th call of the platform, counted from 1 since the plan was armed. */
export type Plan = (n: number, operation: Call) => Fate

/**
 * Stands between the service and its table, vault and bucket, as the `around` of `openApi`: makes calls fail where the armed plan
 * says so, counts them, and keeps what was committed.
 */
export class CrashPoints {
  /** The calls since a plan was armed. */
  readonly operations: Call[] = []
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
    bucket: this.#bucket(platform.bucket),
  })

  #fate(operation: Call): Fate {
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

  async #meets<T>(operation: Call, done: () => Promise<T>): Promise<T> {
    const fate = this.#fate(operation)
    if (fate === 'fail_before') throw new PlatformUnavailable('cut off before it was done')
    const answer = await done()
    if (fate === 'fail_after') throw new PlatformUnavailable('cut off after it was done')
    return answer
  }

  #vault(vault: Vault): Vault {
    return {
      seal: (plain, context) => this.#called(() => this.#meets('seal', () => vault.seal(plain, context))),
      open: (sealed, context) => this.#called(() => this.#meets('open', () => vault.open(sealed, context))),
    }
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

/** One call meets the fate; where the process dies of it, all calls after it fail. */
export const failingAt =
  (at: number, fate: Fate, { dies = false } = {}): Plan =>
  (n) =>
    n === at ? fate : dies && n > at ? 'fail_before' : 'ok'
