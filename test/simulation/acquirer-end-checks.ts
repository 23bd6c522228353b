import { polled_types } from '#shared/acquirer/stripe/event-types.ts'
import { notificationKey } from '#shared/store/keys.ts'
import { differenceOf } from '#test/faults/provider-books.ts'
import type { Account } from '#test/fixtures/stripe/account.ts'
import { booksOf } from '#test/fixtures/stripe/books.ts'
import type { AcquirerInvariants } from './acquirer-invariants.ts'
import { type AcquirerModel, isEnded } from './acquirer-model.ts'
import type { SharedByPayments } from './acquirer-platform.ts'
import { HOUR } from './world.ts'

/** The input of the checks at the end of a history. */
export interface CheckedPayments {
  readonly model: AcquirerModel
  readonly account: Account
  readonly invariants: AcquirerInvariants
  readonly shared: SharedByPayments
}

/** Checks what must hold at the end of a history, long after the last fault. */
export function checkEnd(checked: CheckedPayments): void {
  checkWorkDone(checked)
  const { model, account, invariants } = checked
  const books = booksOf(account)
  for (const payment of model.payments.values()) {
    const difference = differenceOf(payment, books.get(payment.id))
    const invariant = isEnded(payment) ? 'ended_without_money' : 'equal_books'
    invariants.check(invariant, difference === undefined, () => difference!)
  }
  for (const id of books.keys())
    invariants.check('equal_books', model.payments.has(id), () => `${id} is only at the provider`)
}

function checkWorkDone({ model, account, invariants, shared: { memory, world } }: CheckedPayments): void {
  const recent = world.now - HOUR
  const done = (holds: boolean, seen: () => string) => invariants.check('all_work_done', holds, seen)
  for (const process of world.running) invariants.broken('processes_end', `${process.name} still runs`)
  for (const { id, status, in_flight } of model.payments.values()) {
    done(
      in_flight.length === 0,
      () => `${id} is ${status} with ${in_flight.map(({ operation }) => operation)} in flight`,
    )
    done(status !== 'pending', () => `${id} is still pending`)
  }
  for (const { pk, sk, due_at } of [...memory.due_index.shards.values()].flat())
    done(Date.parse(due_at) >= recent, () => `${pk} ${sk} is still due at ${due_at}`)
  for (const { id, type } of missingEvents(account, isStoredIn(memory)))
    done(false, () => `${id} (${type}) was never stored`)
}

/** Returns the events of the provider that the service should have found in their list, and has not stored. */
export const missingEvents = (account: Account, has: (id: string) => boolean) =>
  [...account.events.values()].filter(({ id, type }) => polled_types.includes(type) && !has(id))

/** Returns whether the event of the provider with an id is stored as a notification. */
export const isStoredIn = (memory: SharedByPayments['memory']) => (id: string) =>
  memory.at(notificationKey('stripe', id)) !== undefined
