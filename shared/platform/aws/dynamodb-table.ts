import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  QueryCommand,
  type QueryCommandInput,
  type QueryCommandOutput,
  ScanCommand,
  type TranslateConfig,
} from '@aws-sdk/lib-dynamodb'
import {
  type Clock,
  type DueRange,
  type Item,
  type Key,
  PlatformUnavailable,
  type Range,
  type ScanRange,
  type WholeTable,
  type Write,
} from '../ports.ts'
import { answered, backoffMs, client_options, TRIES_MAX } from './calls.ts'
import { keyOf, writeAll } from './dynamodb-write.ts'

/**
 * Metadata can contain a field named `constructor`. Without `convertClassInstanceToMap`, the SDK refuses such an
 * object.
 */
const translation: TranslateConfig = {
  marshallOptions: { removeUndefinedValues: true, convertClassInstanceToMap: true },
}

/** The table on DynamoDB, with the keys `pk` and `sk`, and the index `due` with the keys `due_shard` and `due_at`. */
export class DynamodbTable implements WholeTable {
  readonly #name: string
  readonly #clock: Clock
  readonly #reader: DynamoDBDocumentClient
  readonly #writer: DynamoDBDocumentClient

  constructor(name: string, clock: Clock) {
    this.#name = name
    this.#clock = clock
    const reader = new DynamoDBClient(client_options)
    // The writer shares the connections of the reader, but tries each send only once, so that `writeAll` knows the
    // result of each send.
    const { requestHandler, credentials } = reader.config
    const writer = new DynamoDBClient({ requestHandler, credentials, maxAttempts: 1 })
    this.#reader = DynamoDBDocumentClient.from(reader, translation)
    this.#writer = DynamoDBDocumentClient.from(writer, translation)
  }

  async get(keys: readonly Key[]): Promise<(Item | undefined)[]> {
    if (keys.length === 1) return [await this.#getOne(keys[0]!)]
    const found = new Map<string, Item>()
    let rest: Record<string, unknown>[] = keys.map(keyOf)
    for (let tries = 1; ; tries++) {
      const RequestItems = { [this.#name]: { Keys: rest, ConsistentRead: true } }
      const answer = await answered(this.#reader.send(new BatchGetCommand({ RequestItems })))
      for (const item of itemsOf(answer.Responses?.[this.#name])) found.set(nameOf(item), item)
      rest = answer.UnprocessedKeys?.[this.#name]?.Keys ?? []
      if (rest.length === 0) return keys.map((key) => found.get(nameOf(key)))
      if (tries === TRIES_MAX) throw new PlatformUnavailable(`${rest.length} keys are still unprocessed`)
      await this.#clock.wait(backoffMs(tries))
    }
  }

  async query(range: Range): Promise<{ items: Item[]; next?: string }> {
    const page = await this.#page(range)
    return { items: itemsOf(page.Items), next: page.LastEvaluatedKey?.sk }
  }

  async count(range: Range): Promise<{ count: number; next?: string }> {
    const page = await this.#page(range, { Select: 'COUNT' })
    return { count: page.Count ?? 0, next: page.LastEvaluatedKey?.sk }
  }

  write(writes: readonly Write[], { latest = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    return writeAll({ client: this.#writer, name: this.#name, clock: this.#clock }, writes, latest)
  }

  async due({ shard, after, until, limit, next }: DueRange): Promise<{ keys: DueKey[]; next?: string }> {
    // A key condition cannot express an exclusive start with an inclusive end. So the range begins with the lowest text
    // above `after`.
    const first = `${after}\0`
    if (isBelow(until, first)) return { keys: [] }
    const page = await this.#query({
      IndexName: 'due',
      KeyConditionExpression: 'due_shard = :shard AND due_at BETWEEN :first AND :until',
      ExpressionAttributeValues: { ':shard': shard, ':first': first, ':until': until },
      Limit: limit,
      ExclusiveStartKey: next === undefined ? undefined : JSON.parse(next),
    })
    const keys = (page.Items ?? []).map(({ pk, sk, due_at }) => ({ pk, sk, due_at }))
    return { keys, next: page.LastEvaluatedKey && JSON.stringify(page.LastEvaluatedKey) }
  }

  async scan({ pk_prefix, after }: ScanRange): Promise<{ items: Item[]; next?: string }> {
    const command = new ScanCommand({
      TableName: this.#name,
      ConsistentRead: true,
      FilterExpression: pk_prefix && 'begins_with(pk, :prefix)',
      ExpressionAttributeValues: pk_prefix ? { ':prefix': pk_prefix } : undefined,
      ExclusiveStartKey: after === undefined ? undefined : JSON.parse(after),
    })
    const page = await answered(this.#reader.send(command))
    return { items: itemsOf(page.Items), next: page.LastEvaluatedKey && JSON.stringify(page.LastEvaluatedKey) }
  }

  async #getOne(key: Key): Promise<Item | undefined> {
    const command = new GetCommand({ TableName: this.#name, Key: keyOf(key), ConsistentRead: true })
    const { Item: item } = await answered(this.#reader.send(command))
    return item as Item | undefined
  }

  async #page(range: Range, options: Partial<QueryCommandInput> = {}): Promise<Partial<QueryCommandOutput>> {
    const { pk, from, to, descending = false, limit, after } = range
    // DynamoDB refuses a range that ends before it begins.
    if (from !== undefined && to !== undefined && isBelow(to, from)) return {}
    return this.#query({
      ...options,
      ConsistentRead: true,
      KeyConditionExpression: `pk = :pk${skCondition(range)}`,
      ExpressionAttributeValues: { ':pk': pk, ':from': from, ':to': to },
      ScanIndexForward: !descending,
      Limit: limit,
      ExclusiveStartKey: after === undefined ? undefined : { pk, sk: after },
    })
  }

  #query(input: Omit<QueryCommandInput, 'TableName'>): Promise<QueryCommandOutput> {
    return answered(this.#reader.send(new QueryCommand({ TableName: this.#name, ...input })))
  }
}

type DueKey = Key & { readonly due_at: string }

const itemsOf = (items: Record<string, unknown>[] = []) => items as Item[]

const nameOf = ({ pk, sk }: Key): string => JSON.stringify([pk, sk])

/** Compares two keys in DynamoDB's order, which is the order of their bytes. */
const isBelow = (one: string, other: string): boolean => Buffer.compare(Buffer.from(one), Buffer.from(other)) < 0

function skCondition({ from, to }: Range): string {
  if (from !== undefined && to !== undefined) return ' AND sk BETWEEN :from AND :to'
  if (from !== undefined) return ' AND sk >= :from'
  return to === undefined ? '' : ' AND sk <= :to'
}
