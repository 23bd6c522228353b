import { AsyncLocalStorage } from 'node:async_hooks'
import type { Key, Message, Write } from '#shared/platform/ports.ts'
import { type DueKind, kindOf } from '#shared/store/keys.ts'

/**
 * A clock call: a request that advances the clock to `at`, in epoch milliseconds, and has no response yet. It waits for
 * work of earlier epochs that falls due up to `at`.
 */
export interface ClockCall {
  readonly epoch: number
  readonly at: number
}

/**
 * What runs now: the request of a client, or work on records of an epoch. For work on a delivery, `delivery` is its
 * `pk`.
 */
type Context = 'client' | { readonly epoch: number; readonly delivery?: string }

/**
 * The kinds of records whose due time is only a safeguard while a request or a delivery is in progress. Under load,
 * such records always exist. A clock call that waited for those of other requests would stop at every minute for as
 * long as requests arrive.
 */
const SAFEGUARDS: ReadonlySet<DueKind> = new Set<DueKind>(['attempt', 'outbox', 'delivery'])

/**
 * Separates the work that a clock call waits for from the work that other requests cause meanwhile. Each clock call
 * begins an epoch. Epochs are numbered in ascending order. A write of a client's request belongs to the epoch in which
 * it is made. What a background function writes and sends belongs to the epoch of the record or message that it
 * processes. What a sweep sends belongs to the epoch before that of the earliest open clock call, which is the one that
 * is being served. While no clock call is open, everything belongs to the latest epoch.
 */
export class Epochs {
  readonly #context = new AsyncLocalStorage<Context | undefined>()
  /** The open clock calls, earliest first. */
  #open: ClockCall[] = []
  #latest = 0
  /** The epochs of safeguards that were written after the served clock call was opened, by key. */
  readonly #foreign = new Map<string, number>()

  /** Opens a clock call. All existing work belongs to an earlier epoch. */
  open(at: number): ClockCall {
    const call = { epoch: this.begin(), at }
    this.#open.push(call)
    return call
  }

  close(call: ClockCall): void {
    this.#open = this.#open.filter((other) => other !== call)
    if (this.#open.length === 0) this.#foreign.clear()
  }

  /** Begins an epoch and returns its number. */
  begin(): number {
    this.#latest += 1
    return this.#latest
  }

  /** The epoch of the served clock call, which waits for work of earlier epochs. 0 while no call is open. */
  get served(): number {
    return this.#open[0]?.epoch ?? 0
  }

  /** The epoch of a write or message that is made now, in the current context. */
  get current(): number {
    const context = this.#context.getStore()
    if (this.#open.length === 0 || context === 'client') return this.#latest
    return context?.epoch ?? this.served - 1
  }

  /**
   * Returns the epoch of a message that is sent: the current epoch, or the epoch of the message's record if the record
   * is a safeguard of a later epoch. For messages of a sweep, and for a retry that work on a delivery sends
   * for the same delivery, `whenDue` applies to the `due_at` of the message. The `due_at` of any other message is only
   * the time of the work that causes the message. That time can be slightly after the moment of the clock call that
   * waits for the message, so it is ignored.
   */
  ofMessage({ pk, sk, due_at }: Message): number {
    const epoch = Math.max(this.current, this.#foreign.get(nameOf({ pk, sk })) ?? 0)
    const context = this.#context.getStore()
    const falls_due = context === undefined || (context !== 'client' && context.delivery === pk)
    return falls_due ? this.whenDue(epoch, Date.parse(due_at)) : epoch
  }

  /**
   * Returns the epoch of work that falls due at `due`, in epoch milliseconds: `epoch`, or at least the epoch of the
   * served clock call if `due` is after its moment. The call does not wait for such work.
   */
  whenDue(epoch: number, due: number): number {
    const [call] = this.#open
    return call && due > call.at ? Math.max(epoch, call.epoch) : epoch
  }

  /** Whether a due record is a safeguard of a request that arrived after the served clock call. */
  isForeign(key: Key): boolean {
    return (this.#foreign.get(nameOf(key)) ?? -1) >= this.served
  }

  /**
   * Called with the writes of a commit. If the served clock call does not wait for this commit, stores the epoch of
   * each safeguard that it puts, so that the call does not wait for them later, and removes the epochs of its other
   * records. If the call waits for the commit, removes the epochs of all its records.
   */
  committed(writes: readonly Write[]): void {
    if (this.#open.length === 0) return
    for (const write of writes) {
      if ('check' in write) continue
      const { pk, sk, due_shard } = 'put' in write ? write.put : { ...write.delete, due_shard: undefined }
      const is_noted = due_shard && this.current >= this.served && SAFEGUARDS.has(kindOf(due_shard))
      if (is_noted) this.#foreign.set(nameOf({ pk, sk }), this.current)
      else this.#foreign.delete(nameOf({ pk, sk }))
    }
  }

  /** Runs the request of a client. */
  serve<T>(request: () => T): T {
    return this.#context.run('client', request)
  }

  /** Runs work on records or messages of an epoch. For work on a delivery, `delivery` is its `pk`. */
  within<T>(epoch: number, work: () => T, delivery?: string): T {
    return this.#context.run({ epoch, delivery }, work)
  }

  /** Runs work of the service itself, outside of the context of the request that started it. */
  apart<T>(work: () => T): T {
    return this.#context.run(undefined, work)
  }
}

const nameOf = ({ pk, sk }: Key): string => `${pk}|${sk}`
