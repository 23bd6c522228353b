import { fanOut, queueNames, sweep, workers } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { type Method, servedPages, servedRoutes } from '#shared/routes.ts'
import { type File, type RecordKind, type TableUse, together } from './table-use.ts'
import { table_uses } from './table-uses.ts'

/** What a function does with the table in all: what all of its like do, and what is its own. Throws for an unknown file. */
export function tableUseOf(file: string): TableUse {
  const own = table_uses[file as File]
  if (!own) throw new Error(`There is nothing in the table of uses about ${file}.`)
  return together(sharedUseOf(file), own)
}

/** Every request proves its key, and acts for the key's merchant or another one; every message is a merchant's. */
function sharedUseOf(file: string): TableUse {
  const method = methods.get(file)
  if (method) return together({ gets: ['key', 'merchant'] }, keeps_answers.has(method) ? keeps_answer : {})
  return forMerchants.has(file) ? { gets: ['merchant'] } : {}
}

const methods: ReadonlyMap<string, Method> = new Map(servedRoutes().map(({ file, method }) => [file, method]))
const keeps_answers: ReadonlySet<Method> = new Set<Method>(['POST', 'PATCH'])
const keeps_answer: TableUse = { gets: ['idempotency'], puts: ['idempotency'] }
const forMerchants: ReadonlySet<string> = new Set([
  ...servedPages().map(({ file }) => file),
  ...Object.values(workers),
  fanOut,
])

/** The queues that a function sends to: the sweep whatever falls due, all others what falls due as soon as they write it. */
export function queuesOf(file: string): readonly QueueName[] {
  if (file === sweep) return queueNames
  const puts = tableUseOf(file).puts ?? []
  return queueNames.filter((queue) => puts.some((kind) => soon_due[kind] === queue))
}

/**
 * Records that can fall due within the minute that they are written in, with the queue that their work is in: a payment
 * at its deadline and a secure token at the end of its hour, which any change may come close to. All others fall due
 * later, and the sweep alone sends them.
 */
const soon_due: Readonly<Partial<Record<RecordKind, QueueName>>> = {
  payment: 'chores',
  secure_token: 'chores',
  webhook: 'chores',
  settling: 'chores',
  delivery: 'deliveries',
  subscription: 'captures',
}

/** Uses that no test brings about, each with the reason why the function may need it all the same. */
export const seldom: readonly { readonly uses: readonly string[]; readonly because: string }[] = [
  {
    uses: ['subscriptions/create gets payment', 'subscriptions/create gets subscription'],
    because: 'A request that died after it began a charge is gone on with by the next one of the same idempotency key.',
  },
  {
    uses: ['pages/sessions/pay gets sandbox'],
    because: 'What an acquirer says it has been sent already, it is asked about.',
  },
]
