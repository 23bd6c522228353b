import { randomUUID } from 'node:crypto'
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
  TransactionConflictException,
} from '@aws-sdk/client-dynamodb'
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
} from '@aws-sdk/lib-dynamodb'
import { type Clock, type Key, PlatformUnavailable, type Write, WriteConflict } from '../ports.ts'
import { backoffMs, failureOf, isBusy, TRIES_MAX } from './calls.ts'
import { earlierSend } from './lost-answer.ts'

/**
 * How often writes are sent at most that meet another transaction on one of their items, and that fail for another
 * passing reason. A conflict lasts only as long as the other transaction. A hundred transactions can meet on one item
 * at once, for example on the card of a customer, so the writes are sent again for about four seconds.
 */
const tries_max = { conflict: 24, failure: TRIES_MAX }

/** The number of tries after which the waits no longer grow. The longest wait is 400 ms. */
const WAITS_GROW_MAX = 4

/** The table that is written to, through a client that sends each call only once. */
export interface Writer {
  readonly client: DynamoDBDocumentClient
  readonly name: string
  readonly clock: Clock
}

/**
 * Writes all or nothing, not later than `latest` (epoch milliseconds). A send whose response is lost may have been
 * executed. The next send then finds the versions that this writer wrote itself. So after such a send, a refusal is
 * trusted only if the items that it returns show who wrote them. Otherwise the caller gets `PlatformUnavailable`,
 * because it could mistake its own write for a concurrent one. This relies on versions alone, and not on the
 * ClientRequestToken, which DynamoDB remembers only for some minutes.
 */
export async function writeAll(writer: Writer, writes: readonly Write[], latest: number): Promise<void> {
  // The client reads the writes only later, and again for every send. The caller may change its objects meanwhile.
  const sent = structuredClone(writes)
  const send = sendable(writer, sent)
  const tries = { conflict: 0, failure: 0 }
  let unclear: PlatformUnavailable | undefined
  for (;;) {
    if (writer.clock.now() > latest) throw unclear ?? new WriteConflict([])
    try {
      await send()
      return
    } catch (error) {
      const earlier = unclear && earlierSend(error, sent)
      if (earlier === 'done') return
      if (earlier === 'not_done') unclear = undefined
      const refusal = refusalOf(error)
      if (isUnclear(error)) unclear = refusal as PlatformUnavailable
      const reason = passingReason(refusal)
      if (!reason || ++tries[reason] === tries_max[reason]) throw unclear ?? refusal
      await writer.clock.wait(backoffMs(Math.min(tries[reason], WAITS_GROW_MAX)))
    }
  }
}

/**
 * Prepares the writes. Each call of the returned function sends them once, all or nothing. A single put or delete is
 * sent without a transaction, at half the price.
 */
function sendable({ client, name: TableName }: Writer, writes: readonly Write[]): () => Promise<unknown> {
  const items = writes.map((write) => itemOf(TableName, write))
  const [only, second] = items
  const single = second ? undefined : only
  if (single?.Put) {
    const command = new PutCommand(single.Put)
    return () => client.send(command)
  }
  if (single?.Delete) {
    const command = new DeleteCommand(single.Delete)
    return () => client.send(command)
  }
  // For some minutes, DynamoDB recognizes the token of a transaction that it has executed, and reports success again. A
  // refused transaction is evaluated again.
  const command = new TransactWriteCommand({ TransactItems: items, ClientRequestToken: randomUUID() })
  return () => client.send(command)
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

function itemOf(TableName: string, write: Write): TransactItem {
  const condition = write.was === undefined ? undefined : { ...conditionOf(write.was), ...return_old }
  if ('put' in write) return { Put: { TableName, Item: write.put, ...condition } }
  if ('delete' in write) return { Delete: { TableName, Key: keyOf(write.delete), ...condition } }
  return { ConditionCheck: { TableName, Key: keyOf(write.check), ...conditionOf(write.was) } }
}

function conditionOf(was: number) {
  if (was === 0) return { ConditionExpression: 'attribute_not_exists(pk)' }
  return { ConditionExpression: 'version = :was', ExpressionAttributeValues: { ':was': was } }
}

/** Makes a refused write return the item that the table holds. */
const return_old = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const

/** Only the `pk` and `sk` of a key or an item. DynamoDB refuses a key with further attributes. */
export const keyOf = ({ pk, sk }: Key) => ({ pk, sk })

/**
 * The error to throw when writes were not executed. A `WriteConflict` with an empty `lost` means that another
 * transaction was writing to one of the items, and not that a version check failed.
 */
function refusalOf(error: unknown): unknown {
  if (error instanceof ConditionalCheckFailedException) return new WriteConflict([0])
  if (error instanceof TransactionConflictException) return new WriteConflict([])
  if (!(error instanceof TransactionCanceledException)) return failureOf(error)
  const codes = (error.CancellationReasons ?? []).map(({ Code }) => Code)
  const lost = codes.flatMap((code, index) => (code === 'ConditionalCheckFailed' ? [index] : []))
  if (lost.length > 0 || codes.includes('TransactionConflict')) return new WriteConflict(lost)
  return codes.some(isBusy) ? new PlatformUnavailable(error.name, { cause: error }) : error
}

/**
 * Whether an error leaves it open whether the writes were executed. A client error means that the writes were not
 * executed.
 */
const isUnclear = (error: unknown): boolean => (Object(error) as { $fault?: string }).$fault !== 'client'

/** Why the same writes may succeed a moment later; undefined if they cannot. */
function passingReason(refusal: unknown): 'conflict' | 'failure' | undefined {
  if (refusal instanceof PlatformUnavailable) return 'failure'
  return refusal instanceof WriteConflict && refusal.lost.length === 0 ? 'conflict' : undefined
}
