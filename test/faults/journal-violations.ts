import type { Item, Write } from '#shared/platform/ports.ts'
import { customer } from '#shared/resources/customer.ts'
import { payment } from '#shared/resources/payment.ts'
import { customers } from '#shared/store/customers.ts'
import { recordOf } from '#shared/store/kind.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Returns what is wrong in a journal of committed transactions, one sentence each: a visible change without an event in
 * its transaction, an event that shows another state than was written, a lost update, and a payment that began with a
 * deleted card.
 */
export function journalViolations(journal: readonly (readonly Write[])[]): string[] {
  const before = new Map<string, Item>()
  return journal.flatMap((writes) => {
    const puts = writes.flatMap((write) => ('put' in write ? [write.put] : []))
    const events = puts.filter(({ sk }) => sk === 'event')
    const wrong = puts.flatMap((item) => [
      ...lostUpdate(item, before),
      ...eventViolations(item, before, events),
      ...deletedCard(item, before),
    ])
    for (const write of writes) {
      if ('put' in write) before.set(nameOf(write.put), write.put)
      if ('delete' in write) before.delete(nameOf(write.delete))
    }
    return wrong
  })
}

/**
 * Checks that a write raises the version of a record by one. A card begins at a random version. List entries and counts
 * have no version check of their own, because the version check of their record protects them.
 */
function lostUpdate(item: Item, before: ReadonlyMap<string, Item>): string[] {
  if (item.pk.startsWith('list#') || item.pk.startsWith('cursor#')) return []
  const last = before.get(nameOf(item))
  if (!last && item.sk === 'card') return []
  const was = last?.version ?? 0
  return item.version === was + 1 ? [] : [`${item.pk} went from version ${was} to ${item.version}`]
}

/** Checks that a payment of a customer begins while the customer has a card. */
function deletedCard({ pk, sk, version, customer }: Item, before: ReadonlyMap<string, Item>): string[] {
  if (sk !== 'payment' || version !== 1 || !customer) return []
  const [, merchant] = pk.split('#')
  return before.has(`card#${merchant}#${customer}|card`) ? [] : [`${pk} began with a deleted card`]
}

/** Checks that a visible change has an event that shows the new state. */
function eventViolations(item: Item, before: ReadonlyMap<string, Item>, events: readonly Item[]): string[] {
  const view = viewOf(item)
  if (view === undefined) return []
  const last = before.get(nameOf(item))
  const own = events.filter(({ about }) => (about as { id: string }).id === item.id)
  const wrong = own
    .filter(({ about, data }) => (about as { version: number }).version !== item.version || data !== view)
    .map(({ type }) => `${type} of ${item.id} does not show version ${item.version}`)
  const needs_none = item.status === 'pending' || (last && viewOf(last) === view)
  if (!needs_none && own.length === 0) wrong.push(`version ${item.version} of ${item.id} has no event`)
  return wrong
}

/** Returns the resource that a merchant sees, as JSON; undefined for any other item. */
function viewOf(item: Item): string | undefined {
  if (item.sk === 'payment') return JSON.stringify(payment(recordOf(payments, item)))
  if (item.sk === 'customer') return JSON.stringify(customer(recordOf(customers, item)))
  return undefined
}

const nameOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk}|${sk}`
