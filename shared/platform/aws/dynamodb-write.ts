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

/** Where writes go: the table `name` through a client that sends each of them once. */
export interface Writer {
  readonly client: DynamoDBDocumentClient
  readonly name: string
  readonly clock: Clock
}

/**
 * Writes all or nothing, until `latest`. A send whose answer is lost may have been done, and the next one then finds the
 * versions that it wrote itself. So once a send has ended unclear, a refusal counts only where what it has found tells
 * which of the two it is; else the caller, who might take its own write for someone else's, gets `PlatformUnavailable`.
 * Only versions are relied on for that, and not that DynamoDB recognises a ClientRequestToken for some minutes.
 */
export async function writeAll(writer: Writer, writes: readonly Write[], latest: number): Promise<void> {
  // The client reads what it sends only later, and again for every send.
  const sent = structuredClone(writes)
  const send = sendable(writer, sent)
  let unclear: PlatformUnavailable | undefined
  for (let tries = 1; ; tries++) {
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
      if (!canPass(refusal) || tries === TRIES_MAX) throw unclear ?? refusal
    }
    await writer.clock.wait(backoffMs(tries))
  }
}

/**
 * The writes made ready; each call of what comes back sends them once, all or nothing. A put or delete alone goes without
 * a transaction, for half the price.
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
  // By the token DynamoDB knows for some minutes a send that it has done, and answers it as done; one that it refused it
  // looks at anew.
  const command = new TransactWriteCommand({ TransactItems: items, ClientRequestToken: randomUUID() })
  return () => client.send(command)
}

type TransactItem = NonNullable<TransactWriteCommandInput['TransactItems']>[number]

function itemOf(TableName: string, write: Write): TransactItem {
  const condition = write.was === undefined ? undefined : { ...conditionOf(write.was), ...telling }
  if ('put' in write) return { Put: { TableName, Item: write.put, ...condition } }
  if ('delete' in write) return { Delete: { TableName, Key: keyOf(write.delete), ...condition } }
  return { ConditionCheck: { TableName, Key: keyOf(write.check), ...conditionOf(write.was) } }
}

function conditionOf(was: number) {
  if (was === 0) return { ConditionExpression: 'attribute_not_exists(pk)' }
  return { ConditionExpression: 'version = :was', ExpressionAttributeValues: { ':was': was } }
}

/** A refusal brings along what is there instead. */
const telling = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const

/** The key alone, also that of a whole item: DynamoDB refuses a key with further attributes. */
export const keyOf = ({ pk, sk }: Key) => ({ pk, sk })

/**
 * What to throw when writes were not done. A `WriteConflict` that names no `lost` says nothing of versions: another
 * transaction was at work on one of the items.
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

/** Whether an error leaves open if the writes were done: an answer that blames the caller says that they were not. */
const isUnclear = (error: unknown): boolean => (Object(error) as { $fault?: string }).$fault !== 'client'

/** Whether the same writes may well be done a moment later. */
function canPass(refusal: unknown): boolean {
  return refusal instanceof PlatformUnavailable || (refusal instanceof WriteConflict && refusal.lost.length === 0)
}
