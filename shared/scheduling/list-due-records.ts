import type { Listing } from '#shared/domain/test-clock.ts'
import type { Item, Key, Write } from '#shared/platform/ports.ts'
import { attempts, occurrenceAttempts } from '#shared/store/attempts.ts'
import { deliveries, deliveryList } from '#shared/store/deliveries.ts'
import { type Due, dueEntryWrites, dueOf } from '#shared/store/due-entries.ts'
import { attemptKey, recordKey } from '#shared/store/keys.ts'
import { type AnyRecord, type Kind, recordOf } from '#shared/store/kind.ts'
import { paymentList, payments } from '#shared/store/payments.ts'
import { settlings } from '#shared/store/settlements.ts'
import { subscriptionList, subscriptions } from '#shared/store/subscriptions.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { webhookList, webhooks } from '#shared/store/webhooks.ts'

/** The most list entries that one look at a test clock goes through, in pages. */
const PAGES_MAX = 10
const PAGE_ENTRIES = 100

/** The most records of one transaction: each has a version check and a due entry. */
const AT_ONCE_MAX = 50

/** A list of records on which work can be due, and the kind of its records. */
interface DueList {
  readonly list: (merchant: string) => { readonly pk: string }
  readonly kind: Kind<AnyRecord>
  /** Whether work can be due on a record whose list entry has this facet. */
  readonly accepts: (facet: string) => boolean
}

const dueList = <R extends AnyRecord>(
  kind: Kind<R>,
  list: DueList['list'],
  accepts: DueList['accepts'] = () => true,
): DueList => ({ kind: kind as unknown as Kind<AnyRecord>, list, accepts })

const due_lists: readonly DueList[] = [
  dueList(subscriptions, subscriptionList, (facet) => facet !== 'deleted' && facet !== 'suspended'),
  dueList(webhooks, webhookList),
  dueList(deliveries, deliveryList, (facet) => facet.startsWith('pending/')),
  dueList(payments, paymentList, (facet) => /^(pending|authorized)\//.test(facet)),
]

/**
 * Writes the due entries of records that were stored before the merchant moved its clock for the first time, up to a
 * thousand list entries at a time. Returns where to continue; null if all records are done. A repeated call writes the
 * same entries. Uploads, secure tokens and refunds that are in flight stay on real time until they next change.
 */
export async function listDueRecords(work: UnitOfWork, listing: Listing): Promise<Listing | null> {
  let next = listing
  for (let page = 0; page < PAGES_MAX; page++) {
    const due_list = due_lists[next.list]
    if (!due_list) {
      await listItems(work, await work.platform.table.get([settlings.key(work.merchant, {} as never)]), settlings)
      return null
    }
    const after = await listPage(work, due_list, next.after)
    next = { ...next, list: after === null ? next.list + 1 : next.list, after }
  }
  return next
}

/** Lists the due records of one page of a list. Returns the last entry of the page; null for the last page. */
async function listPage(
  work: UnitOfWork,
  { kind, list, accepts }: DueList,
  after: string | null,
): Promise<string | null> {
  const { table } = work.platform
  const range = { pk: list(work.merchant).pk, limit: PAGE_ENTRIES, ...(after !== null && { after }) }
  const { items, next } = await table.query(range)
  const keys = items
    .filter(({ facet }) => accepts(String(facet)))
    .map(({ sk }) => recordKey(kind.name, work.merchant, sk))
  const records = keys.length > 0 ? await table.get(keys) : []
  await listItems(work, records, kind)
  if (kind.name === 'payment') await listAttempts(work, records)
  return next ?? null
}

/** Lists the inquiries of operations on payments whose outcome is unknown. */
async function listAttempts(work: UnitOfWork, items: readonly (Item | undefined)[]): Promise<void> {
  for (const item of items) {
    if (!item) continue
    const { id, in_flight, occurrence } = recordOf(payments, item)
    const keys = in_flight.map(({ attempt }): Key => attemptKey(work.merchant, id, attempt))
    if (keys.length > 0)
      await listItems(work, await work.platform.table.get(keys), occurrence ? occurrenceAttempts : attempts)
  }
}

/** Writes the due entries of items. A version check of each item keeps out an entry with an outdated time. */
async function listItems<R extends AnyRecord>(
  work: UnitOfWork,
  items: readonly (Item | undefined)[],
  kind: Kind<R>,
): Promise<void> {
  const due = items.flatMap((item): [Item, Due][] => {
    const at = item && dueOf(kind, work.merchant, recordOf(kind, item))
    return at ? [[item, at]] : []
  })
  for (let from = 0; from < due.length; from += AT_ONCE_MAX) {
    const writes = due
      .slice(from, from + AT_ONCE_MAX)
      .flatMap(([{ pk, sk, version }, at]): Write[] => [
        { check: { pk, sk }, was: version },
        ...dueEntryWrites(work.merchant, undefined, at, work.realNow()),
      ])
    await work.platform.table.write(writes)
  }
}
