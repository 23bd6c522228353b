import type { QueueName } from '#shared/platform/ports.ts'
import { type File, type FunctionAccess, together } from './function-access.ts'
import { recorded_access } from './recorded-access.ts'

/**
 * `accessOf` returns all that a function may do with the table, the queues, the vault and the bucket: its recorded
 * access, its rarely used access, and messages about written records that fall due soon. Throws for a function without
 * recorded access.
 */
export function accessOf(file: string): FunctionAccess {
  const recorded = recorded_access[file as File]
  if (!recorded) throw new Error(`The access of ${file} is not recorded. Run "npm run access".`)
  const rare = rarely_used_access.filter((entry) => entry.file === file).map(({ access }) => access)
  const access = together(recorded, ...rare)
  const puts = access.puts ?? []
  const sends = puts.flatMap((kind) => soon_due[kind] ?? [])
  return together(access, { sends }, puts.some((kind) => fall_due.has(kind)) ? lists_due : {})
}

/** The kinds of items that can fall due, and therefore have due entries in test mode. */
const fall_due: ReadonlySet<string> = new Set([
  ...['payment', 'delivery', 'webhook', 'subscription', 'settling', 'file', 'secure_token', 'event'],
])

/** What a function does with due entries, whether or not it is recorded: a due time can stay, change or end. */
const lists_due: FunctionAccess = { puts: ['due_entry'], deletes: ['due_entry'] }

/**
 * The kinds of records that can fall due within the minute in which they are written, and the queue of their work. A
 * function that writes them may send to this queue, whether or not a send is recorded, because a send depends on the
 * time of the write: any change can come close to the deadline of a payment or the end of the hour of a secure token.
 * All other records fall due later, and the sweep alone sends them.
 */
export const soon_due: Readonly<Record<string, QueueName>> = {
  payment: 'chores',
  secure_token: 'chores',
  webhook: 'chores',
  settling: 'chores',
  delivery: 'deliveries',
  subscription: 'captures',
  test_clock: 'clocks',
}

/** The access that a function needs so rarely that it is not recorded, with the reason why the function needs it. */
export const rarely_used_access: readonly RareAccess[] = [
  {
    file: 'accounts/update',
    access: { puts: ['merchant'] },
    because: 'The merchants of an account that an older version created are made to name the owner of their account.',
  },
  {
    file: 'background/move-test-clocks',
    access: { checks: ['webhook'] },
    because: 'A recovery of failed deliveries can be in progress when a merchant first moves its test clock.',
  },
  {
    file: 'subscriptions/create',
    access: { gets: ['payment', 'subscription'] },
    because: 'A request that is killed after its charge has begun is resumed by the next one with its idempotency key.',
  },
  {
    file: 'pages/sessions/pay',
    access: { gets: ['sandbox'] },
    because: 'An acquirer that reports an order as a duplicate is asked for the outcome of the order.',
  },
]

interface RareAccess {
  readonly file: File
  readonly access: FunctionAccess
  readonly because: string
}
