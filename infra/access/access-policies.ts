import { fanOut, queueNames, sweep, workers } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { type Method, servedPages, servedRoutes } from '#shared/routes.ts'
import { type File, type RecordKind, type TableAccess, together } from './table-access.ts'
import { table_access_list } from './table-access-list.ts'

/**
 * `tableAccessOf` returns all that a function does with the table: its entry in `table_access_list`, and what every
 * request or every message needs. Throws for a file without an entry.
 */
export function tableAccessOf(file: string): TableAccess {
  const own = table_access_list[file as File]
  if (!own) throw new Error(`There is nothing in the table of uses about ${file}.`)
  return together(sharedUseOf(file), own)
}

/**
 * Every request looks up its API key and the merchant that it acts for, which can be another one than the key's. POST
 * and PATCH store their response under the idempotency key. Pages, messages and outbox rows belong to a merchant.
 */
function sharedUseOf(file: string): TableAccess {
  const method = methods.get(file)
  if (method) return together({ gets: ['key', 'merchant'] }, keeps_answers.has(method) ? keeps_answer : {})
  return forMerchants.has(file) ? { gets: ['merchant'] } : {}
}

const methods: ReadonlyMap<string, Method> = new Map(servedRoutes().map(({ file, method }) => [file, method]))
const keeps_answers: ReadonlySet<Method> = new Set<Method>(['POST', 'PATCH'])
const keeps_answer: TableAccess = { gets: ['idempotency'], puts: ['idempotency'] }
const forMerchants: ReadonlySet<string> = new Set([
  ...servedPages().map(({ file }) => file),
  ...Object.values(workers),
  fanOut,
])

/**
 * The queues that a function sends to. The sweep sends all that falls due. Other functions send what can fall due
 * within a minute of their write.
 */
export function queuesOf(file: string): readonly QueueName[] {
  if (file === sweep) return queueNames
  const puts = tableAccessOf(file).puts ?? []
  return queueNames.filter((queue) => puts.some((kind) => soon_due[kind] === queue))
}

/**
 * The records that can fall due within the minute in which they are written, and the queue of their work. They include
 * payments and secure tokens, because any change can come close to the deadline of a payment or the end of the hour of
 * a secure token. All other records fall due later, and the sweep alone sends them.
 */
const soon_due: Readonly<Partial<Record<RecordKind, QueueName>>> = {
  payment: 'chores',
  secure_token: 'chores',
  webhook: 'chores',
  settling: 'chores',
  delivery: 'deliveries',
  subscription: 'captures',
}

/** The table access that no test needs, with the reason why a function can need it all the same. */
export const rarely_used_access: readonly { readonly uses: readonly string[]; readonly because: string }[] = [
  {
    uses: ['subscriptions/create gets payment', 'subscriptions/create gets subscription'],
    because: 'A request that died after it began a charge is gone on with by the next one of the same idempotency key.',
  },
  {
    uses: ['pages/sessions/pay gets sandbox'],
    because: 'What an acquirer says it has been sent already, it is asked about.',
  },
]
