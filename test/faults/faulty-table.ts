import {
  type DueRange,
  type Item,
  type Key,
  PlatformUnavailable,
  type Range,
  type Table,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'
import { randomOf } from './random.ts'

export type Operation = 'get' | 'query' | 'count' | 'write' | 'due'

/**
 * What happens to a call. `conflict`: a write is refused. `fail_before`: the call fails and is not done. `fail_after`:
 * the call is done and fails. `stale`: a query of the due index returns its state before the last write through this
 * table. `shuffled`: such a query returns its page in another order. A call ignores a fate that does not apply to it.
 */
export type Fate = 'ok' | 'conflict' | 'fail_before' | 'fail_after' | 'stale' | 'shuffled'

/** One call as a plan sees it; `n` counts all calls of the table from 1. */
export interface Call {
  readonly n: number
  readonly operation: Operation
  readonly writes?: readonly Write[]
}

type DueKey = Key & { readonly due_at: string }

/** A table whose calls fail as `plan` says, in ways that emulators do not offer. */
export class FaultyTable implements Table {
  /** The number of calls of each operation. */
  readonly calls: Record<Operation, number> = { get: 0, query: 0, count: 0, write: 0, due: 0 }
  readonly #inner: Table
  readonly #plan: (call: Call) => Fate
  readonly #indexed = new Map<string, DueKey & { readonly due_shard: string }>()
  #last: readonly Write[] = []

  constructor(inner: Table, plan: (call: Call) => Fate) {
    this.#inner = inner
    this.#plan = plan
  }

  get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    return this.#meet('get', () => this.#inner.get(keys))
  }

  query(range: Range): Promise<{ items: Item[]; next?: string }> {
    return this.#meet('query', () => this.#inner.query(range))
  }

  count(range: Range): Promise<{ count: number; next?: string }> {
    return this.#meet('count', () => this.#inner.count(range))
  }

  write(writes: readonly Write[], options?: { readonly latest?: number }): Promise<void> {
    const done = async () => {
      await this.#inner.write(writes, options)
      this.#index(this.#last)
      this.#last = writes
    }
    return this.#meet('write', done, writes)
  }

  due(range: DueRange): Promise<{ keys: DueKey[]; next?: string }> {
    return this.#meet('due', async (fate) => {
      if (fate === 'stale') return { keys: this.#stale(range) }
      const page = await this.#inner.due(range)
      return fate === 'shuffled' ? { ...page, keys: shuffled(page.keys, this.calls.due) } : page
    })
  }

  async #meet<T>(operation: Operation, done: (fate: Fate) => Promise<T>, writes?: readonly Write[]): Promise<T> {
    this.calls[operation] += 1
    const n = Object.values(this.calls).reduce((sum, calls) => sum + calls)
    const fate = this.#plan({ n, operation, writes })
    if (fate === 'conflict' && operation === 'write') throw new WriteConflict([])
    if (fate === 'fail_before') throw new PlatformUnavailable('failed before the call was done')
    const answer = await done(fate)
    if (fate === 'fail_after') throw new PlatformUnavailable('failed after the call was done')
    return answer
  }

  #index(writes: readonly Write[]): void {
    for (const write of writes) {
      if ('check' in write) continue
      const { pk, sk, due_shard, due_at } = 'put' in write ? write.put : ({ ...write.delete } as Partial<Item> & Key)
      const key = JSON.stringify([pk, sk])
      if (due_shard && due_at) this.#indexed.set(key, { pk, sk, due_shard, due_at })
      else this.#indexed.delete(key)
    }
  }

  #stale({ shard, after, until, limit }: DueRange): DueKey[] {
    return [...this.#indexed.values()]
      .filter(({ due_shard, due_at }) => due_shard === shard && due_at > after && due_at <= until)
      .sort((one, other) => (one.due_at < other.due_at ? -1 : 1))
      .slice(0, limit)
      .map(({ pk, sk, due_at }) => ({ pk, sk, due_at }))
  }
}

/**
 * Returns a plan that draws fates by their probability: `{ conflict: 0.1 }` is one call in ten. The same seed gives the
 * same fates.
 */
export function seeded(seed: number, chances: Partial<Record<Exclude<Fate, 'ok'>, number>>): () => Fate {
  const random = randomOf(seed)
  return () => {
    let rest = random()
    for (const [fate, chance] of Object.entries(chances)) {
      rest -= chance
      if (rest < 0) return fate as Fate
    }
    return 'ok'
  }
}

function shuffled<T>(items: readonly T[], seed: number): T[] {
  const random = randomOf(seed)
  return items
    .map((item) => ({ item, order: random() }))
    .sort((one, other) => one.order - other.order)
    .map(({ item }) => item)
}
