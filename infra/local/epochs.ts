import { AsyncLocalStorage } from 'node:async_hooks'
import type { Key, Message, Write } from '#shared/platform/ports.ts'
import { type DueKind, kindOf } from '#shared/store/keys.ts'

/** A clock call that is not answered yet. It waits for work of earlier epochs that falls due up to `at`, in epoch milliseconds. */
export interface ClockCall {
  readonly epoch: number
  readonly at: number
}

/** What runs: the request of a client, or work on records of an epoch, of which a delivery names its own. */
type Context = 'client' | { readonly epoch: number; readonly delivery?: string }

/**
 * The kinds whose due time is only a safeguard while a request or a delivery is under way. Under load there is always one
 * of them, so a clock that stopped for those of other requests would stop every minute for as long as requests come.
 */
const SAFEGUARDS: ReadonlySet<DueKind> = new Set<DueKind>(['attempt', 'outbox', 'delivery'])

/**
 * Tells the work that a clock call waits for from the work that other requests cause meanwhile. Each clock call begins an
 * epoch. A write of a client's request belongs to the epoch in which it is made. What a background function writes and
 * sends belongs to the epoch of the record or message that it works on, and what a sweep sends belongs to the epoch before
 * that of the clock call that is being served. While no clock call is open, everything belongs to the latest epoch.
 */
export class Epochs {
  readonly #context = new AsyncLocalStorage<Context | undefined>()
  /** Earliest first. */
  #open: ClockCall[] = []
  #latest = 0
  /** The epochs of due records that the earliest open call does not wait for, by key. */
  readonly #foreign = new Map<string, number>()

  /** Opens a clock call: all that is there already belongs to an earlier epoch. */
  open(at: number): ClockCall {
    const call = { epoch: this.begin(), at }
    this.#open.push(call)
    return call
  }

  close(call: ClockCall): void {
    this.#open = this.#open.filter((other) => other !== call)
    if (this.#open.length === 0) this.#foreign.clear()
  }

  /** Begins an epoch, and answers its number. */
  begin(): number {
    this.#latest += 1
    return this.#latest
  }

  /** The epoch of the clock call that is being served: work of earlier epochs is waited for. 0 while no call is open. */
  get served(): number {
    return this.#open[0]?.epoch ?? 0
  }

  /** The epoch of what is written or sent here and now. */
  get current(): number {
    const context = this.#context.getStore()
    if (this.#open.length === 0 || context === 'client') return this.#latest
    return context?.epoch ?? this.served - 1
  }

  /**
   * The epoch of a message that is sent: no earlier than that of its record, whoever sends it. A sweep sends what falls due,
   * and a delivery its own retry, so the time in their messages decides. The time of any other message is only that of the
   * work that causes it, which may be somewhat later than the moment of the clock call that waits for it.
   */
  ofMessage({ pk, sk, due_at }: Message): number {
    const epoch = Math.max(this.current, this.#foreign.get(nameOf({ pk, sk })) ?? 0)
    const context = this.#context.getStore()
    const falls_due = context === undefined || (context !== 'client' && context.delivery === pk)
    return falls_due ? this.whenDue(epoch, Date.parse(due_at)) : epoch
  }

  /** The epoch of work of an epoch that falls due at `due`: the call that is served waits for nothing after its moment. */
  whenDue(epoch: number, due: number): number {
    const [call] = this.#open
    return call && due > call.at ? Math.max(epoch, call.epoch) : epoch
  }

  /** Whether a due record is a safeguard of a request that came after the clock call that is being served. */
  isForeign(key: Key): boolean {
    return (this.#foreign.get(nameOf(key)) ?? -1) >= this.served
  }

  /** Notes the epochs of the due records in a commit. */
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

  /** Runs work on records or messages of an epoch; on a delivery, its `pk` is given. */
  within<T>(epoch: number, work: () => T, delivery?: string): T {
    return this.#context.run({ epoch, delivery }, work)
  }

  /** Runs work of the service itself, whoever asked for it. */
  apart<T>(work: () => T): T {
    return this.#context.run(undefined, work)
  }
}

const nameOf = ({ pk, sk }: Key): string => `${pk}|${sk}`
