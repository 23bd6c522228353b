import type { Key, Write } from '#shared/platform/ports.ts'
import {
  getting,
  later,
  type Mutants,
  omitting,
  overwriting,
  type Put,
  putting,
  splitting,
  undue,
  unswept,
  writing,
} from './mutants.ts'
import type { SubscriptionInvariant } from './subscription-invariants.ts'
import { DAY, HOUR } from './world.ts'

/** Faulty versions of subscriptions. */
export const subscription_mutants: Mutants<SubscriptionInvariant> = {
  'fails on a customer without a card': {
    breaks: 'processes_end',
    ...getting((item, pk, { kind }) => {
      if (!item && kind === 'capture' && pk.startsWith('card#')) throw new TypeError('no card')
      return item
    }),
  },
  'writes without a version check': {
    breaks: 'no_lost_update',
    ...overwriting('subscription', 'payment', 'customer'),
  },
  'never queues an overdue item again': {
    breaks: 'all_work_done',
    table: (table) => ({
      ...table,
      due: async (range) => (range.after < range.until && isRecent(range) ? table.due(range) : { keys: [] }),
    }),
  },
  'never sweeps payments with an unknown outcome': { breaks: 'all_work_done', ...unswept('due#occurrence') },
  'never sweeps voids': { breaks: 'all_work_done', ...unswept('due#attempt') },
  'counts intervals from the last capture': {
    breaks: 'interval_schedule',
    ...writing((writes) => {
      const captured = writes.find((write) => isPut(write, 'payment') && write.put.captured_at) as Put | undefined
      const created_at = captured?.put.captured_at
      return writes.map((write) =>
        created_at && isPut(write, 'subscription') && write.put.version > 2
          ? { ...write, put: { ...write.put, created_at } }
          : write,
      )
    }),
  },
  'looks for due subscriptions an hour late': {
    breaks: 'capture_in_time',
    table: (table) => ({
      ...table,
      due: (range) =>
        table.due(
          range.shard.startsWith('due#subscription')
            ? { ...range, after: hourBefore(range.after), until: hourBefore(range.until) }
            : range,
        ),
    }),
  },
  'does not count tries': {
    breaks: 'one_try_at_a_time',
    ...putting((item) =>
      item.sk === 'payment' ? { ...item, occurrence: { ...(item.occurrence as object), try: 0 } } : item,
    ),
  },
  'retries after an hour': {
    breaks: 'retry_after_a_day',
    ...putting((item) => {
      if (item.sk !== 'subscription' || !item.retry_at) return item
      const retry_at = later(item.retry_at, HOUR - DAY)
      return { ...item, retry_at, due_at: item.due_at && retry_at }
    }),
  },
  'captures missed intervals at once': {
    breaks: 'missed_intervals_a_day_apart',
    ...putting((item) =>
      item.sk === 'subscription' && item.not_before
        ? { ...item, not_before: null, due_at: item.due_at && later(item.not_before, -DAY) }
        : item,
    ),
  },
  'records a charged payment as failed': {
    breaks: 'outcome_of_acquirer',
    ...putting((item) =>
      item.sk === 'payment' && item.status === 'captured' && item.amount ? { ...item, status: 'failed' } : item,
    ),
  },
  'sends each charge twice, under two keys': {
    breaks: 'one_charge_per_interval',
    ...writing((writes) =>
      writes.flatMap((write) =>
        isPut(write, 'sandbox') && (write.put.outcome as { result: string }).result === 'captured'
          ? [write, { ...write, put: { ...write.put, pk: `${write.put.pk}-again` } }]
          : [write],
      ),
    ),
  },
  'charges one yen more': {
    breaks: 'charge_amount',
    ...putting((item) => (isLedger(item) && item.amount ? { ...item, amount: Number(item.amount) + 1 } : item)),
  },
  'forgets voids': {
    breaks: 'charge_captured_or_voided',
    ...putting((item) => (item.operation === 'void' && item.sk.startsWith('attempt#') ? undue(item) : item)),
  },
  'records a payment before its subscription': {
    breaks: 'payment_with_subscription',
    ...splitting((write) => isPut(write, 'payment')),
  },
  'does not count failures': {
    breaks: 'subscription_state',
    ...putting((item) => (item.sk === 'subscription' ? { ...item, retry_count: 0 } : item)),
  },
  'suspends without an event': {
    breaks: 'events_show_state',
    ...omitting((write) => isPut(write, 'event') && write.put.type === 'subscription.suspended'),
  },
  'deletes a subscription and leaves its payment in flight': {
    breaks: 'deletion_ends_captures',
    ...writing((writes) => {
      const is_deletion = writes.some((write) => isPut(write, 'subscription') && write.put.status === 'deleted')
      return writes.filter((write) => !is_deletion || !isPut(write, 'payment'))
    }),
  },
  'deletes a customer and keeps the subscriptions': {
    breaks: 'customer_owns_subscriptions',
    ...writing((writes) => {
      const is_deletion = writes.some((write) => 'delete' in write && write.delete.sk === 'customer')
      return writes.filter((write) => !is_deletion || !(isPut(write, 'subscription') || isPut(write, 'payment')))
    }),
  },
  'captures without a movement': {
    breaks: 'settlement_movements',
    ...omitting((write) => 'put' in write && write.put.pk.startsWith('movement#')),
  },
}

const isPut = (write: Write, kind: string): write is Put => 'put' in write && write.put.sk === kind

const isLedger = ({ pk }: Key): boolean => pk.startsWith('sandbox#')

/** Whether a range of the due index counts as recent: it has a start and spans at most a day. */
const isRecent = ({ after, until }: { after: string; until: string }): boolean =>
  after !== '' && Date.parse(until) - Date.parse(after) <= DAY

const hourBefore = (time: string): string => (time === '' ? time : later(time, -HOUR))
