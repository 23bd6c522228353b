import { createHash } from 'node:crypto'
import type { LocalPlatform } from '#infra/local/local-platform.ts'
import { type Attribute, valuesIn } from '#shared/platform/aws/attribute.ts'
import type { Item, Key, Message, QueueName, Range, Value, Write } from '#shared/platform/ports.ts'
import { SealBroken, WriteConflict } from '#shared/platform/ports.ts'
import type { AwsAnswer, AwsCall } from './faulty-endpoint.ts'

/*
 * Emulates the AWS operations that the ports use, over the local platform. It parses the requests of the AWS SDK and returns
 * responses in the formats of AWS. It understands only the expressions that the service sends.
 */

// biome-ignore lint/suspicious/noExplicitAny: each operation has its own request format
type Sent = any

/** Deliberate differences from AWS. */
export interface EmulatorOptions {
  /** Whether a repeated transaction is executed again. Then only its version checks detect that it was done before. */
  readonly forgets_tokens?: boolean
}

/** Returns a function that executes calls of the AWS SDK on a platform. */
export function emulated(
  platform: LocalPlatform,
  options: EmulatorOptions = {},
): (call: AwsCall) => Promise<AwsAnswer> {
  const operations = { ...tableOf(platform, options), ...queuesOf(platform), ...vaultOf(platform) }
  const bucket = bucketOf(platform)
  return async (call) => {
    if (call.operation.startsWith('S3.')) return bucket(call)
    const operation = operations[call.operation.split('.')[1]!]
    try {
      return answer(200, await operation!(JSON.parse(call.body.toString())))
    } catch (error) {
      return refusal(error)
    }
  }
}

const answer = (status: number, body: object): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify(body),
})

/** A failed condition, with the stored item if the request asks for it. */
class Refused extends Error {
  readonly reasons: readonly { Code: string; Item?: Record<string, Attribute> }[]
  constructor(reasons: Refused['reasons']) {
    super()
    this.reasons = reasons
  }
}

function refusal(error: unknown): AwsAnswer {
  if (error instanceof Refused && error.reasons.length === 1)
    return answer(400, { __type: 'ConditionalCheckFailedException', Item: error.reasons[0]!.Item })
  if (error instanceof Refused)
    return answer(400, { __type: 'TransactionCanceledException', CancellationReasons: error.reasons })
  if (error instanceof SealBroken) return answer(400, { __type: 'InvalidCiphertextException' })
  return answer(400, { __type: 'ValidationException', message: (error as Error).message })
}

type Operations = Record<string, (sent: Sent) => Promise<object>>

function tableOf({ table }: LocalPlatform, { forgets_tokens = false }: EmulatorOptions): Operations {
  const done = new Set<string>()

  async function write(items: readonly Sent[]): Promise<object> {
    const writes = items.map(writeOf)
    try {
      await table.write(writes)
    } catch (error) {
      if (!(error instanceof WriteConflict)) throw error
      const found = await table.get(writes.map(keyOfWrite))
      throw new Refused(writes.map((_, index) => reasonOf(error.lost.includes(index), items[index], found[index])))
    }
    return {}
  }

  return {
    async GetItem({ Key }) {
      const [item] = await table.get([itemOf(Key)])
      return { Item: item && attributesOf(item) }
    },
    async BatchGetItem({ RequestItems }) {
      const [[name, { Keys }]] = Object.entries(RequestItems) as [[string, Sent]]
      const found = await table.get(Keys.map(itemOf))
      return { Responses: { [name]: found.flatMap((item) => (item ? [attributesOf(item)] : [])) }, UnprocessedKeys: {} }
    },
    Query: (sent) => (sent.IndexName ? dueOf(table, sent) : pageOf(table, sent)),
    PutItem: (sent) => write([{ Put: sent }]),
    DeleteItem: (sent) => write([{ Delete: sent }]),
    async TransactWriteItems({ TransactItems, ClientRequestToken }) {
      if (done.has(ClientRequestToken)) return {}
      await write(TransactItems)
      if (!forgets_tokens) done.add(ClientRequestToken)
      return {}
    },
  }
}

async function pageOf(table: LocalPlatform['table'], sent: Sent): Promise<object> {
  const { ':pk': pk, ':from': from, ':to': to } = itemOf(sent.ExpressionAttributeValues) as Sent
  const after = sent.ExclusiveStartKey?.sk.S
  const range: Range = { pk, from, to, descending: sent.ScanIndexForward === false, limit: sent.Limit, after }
  const last = (next?: string) => next !== undefined && { LastEvaluatedKey: attributesOf({ pk, sk: next }) }
  if (sent.Select === 'COUNT') {
    const { count, next } = await table.count(range)
    return { Count: count, ...last(next) }
  }
  const { items, next } = await table.query(range)
  return { Items: items.map(attributesOf), ...last(next) }
}

async function dueOf(table: LocalPlatform['table'], sent: Sent): Promise<object> {
  const { ':shard': shard, ':first': first, ':until': until } = itemOf(sent.ExpressionAttributeValues) as Sent
  const after = first.slice(0, -1)
  const page = await table.due({ shard, after, until, limit: sent.Limit, next: sent.ExclusiveStartKey?.pk.S })
  return { Items: page.keys.map(attributesOf), ...(page.next && { LastEvaluatedKey: { pk: { S: page.next } } }) }
}

function writeOf({ Put, Delete, ConditionCheck }: Sent): Write {
  if (Put) return { put: itemOf(Put.Item) as Item, was: wasOf(Put) }
  if (Delete) return { delete: itemOf(Delete.Key) as Key, was: wasOf(Delete) }
  return { check: itemOf(ConditionCheck.Key) as Key, was: wasOf(ConditionCheck)! }
}

function wasOf({ ConditionExpression, ExpressionAttributeValues }: Sent): number | undefined {
  if (ConditionExpression === undefined) return undefined
  return ConditionExpression === 'version = :was' ? (itemOf(ExpressionAttributeValues)[':was'] as number) : 0
}

const keyOfWrite = (write: Write): Key => {
  const { pk, sk } = 'put' in write ? write.put : 'delete' in write ? write.delete : write.check
  return { pk, sk }
}

function reasonOf(isLost: boolean, item: Sent, found: Item | undefined): Refused['reasons'][number] {
  if (!isLost) return { Code: 'None' }
  const { ReturnValuesOnConditionCheckFailure: asked } = item.Put ?? item.Delete ?? item.ConditionCheck
  return { Code: 'ConditionalCheckFailed', ...(asked === 'ALL_OLD' && found && { Item: attributesOf(found) }) }
}

function queuesOf({ queues }: LocalPlatform): Operations {
  return {
    async SendMessageBatch({ QueueUrl, Entries }) {
      const queue = queues[QueueUrl.split('/').at(-1) as QueueName]
      await queue.send(
        Entries.map((entry: Sent) => ({
          message: JSON.parse(entry.MessageBody) as Message,
          delay_seconds: entry.DelaySeconds,
          group: entry.MessageGroupId,
        })),
      )
      const md5 = (text: string) => createHash('md5').update(text).digest('hex')
      const sent = ({ Id, MessageBody }: Sent) => ({ Id, MessageId: Id, MD5OfMessageBody: md5(MessageBody) })
      return { Successful: Entries.map(sent), Failed: [] }
    },
  }
}

function vaultOf({ vault }: LocalPlatform): Operations {
  const bytes = (text: string) => Buffer.from(text, 'base64')
  const text = (sealed: Uint8Array) => Buffer.from(sealed).toString('base64')
  return {
    Encrypt: async ({ Plaintext, EncryptionContext }) => ({
      CiphertextBlob: text(await vault.seal(bytes(Plaintext), EncryptionContext)),
    }),
    Decrypt: async ({ CiphertextBlob, EncryptionContext }) => ({
      Plaintext: text(await vault.open(bytes(CiphertextBlob), EncryptionContext)),
    }),
  }
}

function bucketOf({ bucket }: LocalPlatform): (call: AwsCall) => Promise<AwsAnswer> {
  return async ({ method, path, body }) => {
    const [, , ...name] = path.split('?')[0]!.split('/')
    if (method === 'PUT') await bucket.put(name.join('/'), body)
    else await bucket.remove(name.join('/'))
    return { status: method === 'PUT' ? 200 : 204, body: '' }
  }
}

const itemOf = valuesIn as (attributes: Readonly<Record<string, Attribute>>) => Record<string, Value> & Key

/** Returns an item in the format of DynamoDB. */
export const attributesOf = (item: object): Record<string, Attribute> =>
  Object.fromEntries(
    Object.entries(item).flatMap(([name, held]) => (held === undefined ? [] : [[name, attributeOf(held)]])),
  )

function attributeOf(value: Value): Attribute {
  if (typeof value === 'string') return { S: value }
  if (typeof value === 'number') return { N: String(value) }
  if (typeof value === 'boolean') return { BOOL: value }
  if (value === null) return { NULL: true }
  return Array.isArray(value) ? { L: value.map(attributeOf) } : { M: attributesOf(value) }
}
