import type { Item, Write } from '#shared/platform/ports.ts'
import { customer } from '#shared/resources/customer.ts'
import { payment } from '#shared/resources/payment.ts'
import { customers } from '#shared/store/customers.ts'
import { recordOf } from '#shared/store/kind.ts'
import { payments } from '#shared/store/payments.ts'

/**
 * Looks through committed transactions, in their order, for changes that a merchant can see and was not told of in the very
 * same transaction, for events that tell something else than was written, for writes over what the writer had not seen, and
 * for payments with a card that was gone.
 */
export function untold(journal: readonly (readonly Write[])[]): string[] {
  const before = new Map<string, Item>()
  return journal.flatMap((writes) => {
    const puts = writes.flatMap((write) => ('put' in write ? [write.put] : []))
    const events = puts.filter(({ sk }) => sk === 'event')
    const wrong = puts.flatMap((item) => [
      ...unseen(item, before),
      ...silent(item, before, events),
      ...unowned(item, before),
    ])
    for (const write of writes) {
      if ('put' in write) before.set(nameOf(write.put), write.put)
      if ('delete' in write) before.delete(nameOf(write.delete))
    }
    return wrong
  })
}

/**
 * Records go up one version with every write; only a card begins at a random one. List entries and counts are guarded by
 * the record they belong to.
 */
function unseen(item: Item, before: ReadonlyMap<string, Item>): string[] {
  if (item.pk.startsWith('list#') || item.pk.startsWith('cursor#')) return []
  const last = before.get(nameOf(item))
  if (!last && item.sk === 'card') return []
  const was = last?.version ?? 0
  return item.version === was + 1 ? [] : [`${item.pk} went from version ${was} to ${item.version}`]
}

/** A payment of a customer begins while the customer still has a card. */
function unowned({ pk, sk, version, customer }: Item, before: ReadonlyMap<string, Item>): string[] {
  if (sk !== 'payment' || version !== 1 || !customer) return []
  const [, merchant] = pk.split('#')
  return before.has(`card#${merchant}#${customer}|card`) ? [] : [`${pk} was begun with a card that was gone`]
}

function silent(item: Item, before: ReadonlyMap<string, Item>, events: readonly Item[]): string[] {
  const seen = viewOf(item)
  if (seen === undefined) return []
  const last = before.get(nameOf(item))
  const told = events.filter(({ about }) => (about as { id: string }).id === item.id)
  const wrong = told
    .filter(({ about, data }) => (about as { version: number }).version !== item.version || data !== seen)
    .map(({ type }) => `${type} tells of ${item.id} what is not so in version ${item.version}`)
  const quiet = item.status === 'pending' || (last && viewOf(last) === seen)
  if (!quiet && told.length === 0) wrong.push(`version ${item.version} of ${item.id} was told to nobody`)
  return wrong
}

/** What a merchant sees of a record, as JSON; undefined for what is no resource. */
function viewOf(item: Item): string | undefined {
  if (item.sk === 'payment') return JSON.stringify(payment(recordOf(payments, item)))
  if (item.sk === 'customer') return JSON.stringify(customer(recordOf(customers, item)))
  return undefined
}

const nameOf = ({ pk, sk }: { readonly pk: string; readonly sk: string }): string => `${pk}|${sk}`
