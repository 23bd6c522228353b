import type { Delivery } from '#shared/domain/delivery.ts'
import { creationTimeOf } from '#shared/domain/ids.ts'
import type { Table } from '#shared/platform/ports.ts'
import { deliveryList } from '#shared/store/deliveries.ts'
import { eventList } from '#shared/store/events.ts'
import type { List } from '#shared/store/list-keys.ts'
import { pageOf } from '#shared/store/list-page.ts'
import type { Audit } from './delivery-audit.ts'
import type { DeliveryInvariants } from './delivery-invariants.ts'
import type { DeliveryModel } from './delivery-model.ts'
import type { Shared } from './platform.ts'
import { HOUR } from './world.ts'

/** The input of the checks at the end of a history. */
export interface CheckedDeliveries {
  readonly audit: Audit
  readonly invariants: DeliveryInvariants
  readonly shared: Shared
  readonly merchant: string
}

/** Checks what must hold at the end of a history, when all work is done. */
export async function checkEnd(checked: CheckedDeliveries): Promise<void> {
  const { audit, invariants, shared, merchant } = checked
  checkWorkDone(checked)
  checkReceivers(checked)
  for (const model of audit.deliveries.values()) checkRecords(checked, model)
  audit.posts.checkRecorded()
  checkEntries(checked)
  if (invariants.violation) return
  const [value] = audit.webhooks.keys()
  const own = value ? [deliveryList(merchant, { by: 'webhook', value })] : []
  await checkCounts({ invariants, shared }, [eventList(merchant), deliveryList(merchant), ...own])
}

/** Checks that the first page of each list is exact. Nothing is written meanwhile. */
export async function checkCounts(
  { invariants, shared: { memory, world } }: Pick<CheckedDeliveries, 'invariants' | 'shared'>,
  lists: readonly List[],
): Promise<void> {
  for (const list of lists) {
    const entries = memory.items.get(list.pk) ?? []
    if (entries.length < 2) continue
    // A page reads entries that are newer than this and does not count them, so it is exact at any time.
    const now = Math.min(world.now, creationTimeOf(entries.at(-1)!.sk) + 2 * HOUR)
    const { total, ids } = await pageOf(countingTable(memory), list, { page: 1, per_page: 100, now })
    const right = entries.map(({ sk }) => sk).toReversed()
    const is_exact = total === right.length && ids.join() === right.slice(0, 100).join()
    invariants.check('list_counts', is_exact, () => `${list.pk} is counted as ${total} and has ${right.length}`)
  }
}

function checkWorkDone({ audit, invariants, shared: { memory, world } }: CheckedDeliveries): void {
  const due = [...memory.due_index.shards.values()].flat().map(({ pk, sk, due_at }) => `${pk} ${sk} ${due_at}`)
  invariants.check('all_work_done', due.length === 0, () => `still due: ${due.join(', ')}`)
  for (const [pk, items] of memory.items) {
    const is_open = pk.startsWith('event#') && items.some(({ sk }) => sk === 'outbox')
    invariants.check('all_work_done', !is_open, () => `${pk} still has its outbox row`)
  }
  for (const { id, status } of audit.deliveries.values())
    invariants.check('all_work_done', status !== 'pending', () => `${id} is pending and never due`)
  for (const process of world.running) invariants.broken('processes_end', `${process.name} still runs`)
}

function checkReceivers({ audit, invariants }: CheckedDeliveries): void {
  const made = new Set([...audit.deliveries.values()].map(({ event, receiver }) => `${event} ${receiver}`))
  const check = (event: string, receiver: string) =>
    invariants.check(
      'every_receiver_has_delivery',
      made.has(`${event} ${receiver}`),
      () => `${event} has no delivery to ${receiver}`,
    )
  for (const [id, emitted] of audit.events) {
    const { type, about } = emitted.event
    for (const webhook of audit.webhooks.keys())
      if (audit.isSubscribed(webhook, emitted, emitted.fanned_out_at, 'every')) check(id, webhook)
    const own = about.kind === 'payment' ? audit.payments.get(about.id)! : []
    for (const [entry, { events }] of own.entries())
      if (events.some((wanted) => wanted === type)) check(id, `entry ${entry}`)
  }
}

/** Checks the delivery and its attempts as they are stored. */
function checkRecords({ invariants, shared: { memory }, merchant }: CheckedDeliveries, model: DeliveryModel): void {
  const { id, status, made } = model
  const items = memory.items.get(`delivery#${merchant}#${id}`)!
  const attempts = items.filter(({ sk }) => sk !== 'delivery').map(({ sk }) => sk)
  const item = items.find(({ sk }) => sk === 'delivery') as unknown as Delivery
  invariants.check('delivery_state', item.status === status, () => `${id} is ${item.status}, not ${status}`)
  const right = Array.from({ length: made }, (_, number) => `attempt#${String(number).padStart(6, '0')}`)
  const is_right = attempts.join() === right.join() && item.attempts_made === made
  invariants.check('attempts_match_posts', is_right, () => `${id} has ${attempts}, and counts ${item.attempts_made}`)
}

function checkEntries({ invariants, shared: { memory }, merchant }: CheckedDeliveries): void {
  const records = [...memory.items.values()].flat().filter(({ sk }) => sk === 'delivery')
  const right = records.flatMap(({ pk, status, webhook, payment }) => {
    const id = pk.split('#')[2]
    const facet = `${status}/${webhook ?? ''}/${payment ?? ''}`
    const lists = ['', ...(webhook ? [`#webhook#${webhook}`] : []), ...(payment ? [`#payment#${payment}`] : [])]
    return lists.map((list) => `list#delivery#${merchant}${list} ${id} ${facet}`)
  })
  const entries = [...memory.items].flatMap(([pk, items]) =>
    pk.startsWith('list#delivery#') && !pk.endsWith('#count')
      ? items.map(({ sk, facet }) => `${pk} ${sk} ${facet}`)
      : [],
  )
  const [wrong] = new Set(entries).symmetricDifference(new Set(right))
  invariants.check('list_entries', wrong === undefined, () => `missing or wrong: ${wrong}`)
}

/** The table of a reader that counts even a short list, because it reads one entry at a time. */
const countingTable = (memory: Shared['memory']): Table => ({
  get: (keys) => memory.get(keys),
  count: (range) => memory.count(range),
  write: (writes) => memory.write(writes),
  due: (range) => memory.due(range),
  query: (range) => memory.query({ ...range, limit: range.limit && 1 }),
})
