import { Aws } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Names } from '#infra/names.ts'
import { queueNames } from '#shared/background.ts'
import type { Purpose } from '#shared/crypto/sealed-text.ts'
import { accessOf } from './access-of.ts'
import type { ObjectAction } from './function-access.ts'

/** The policy statements for the roles of functions, with the names of a stage. */
export class Permissions {
  readonly #names: Names

  constructor(names: Names) {
    this.#names = names
  }

  /** Allows a function to use the table, the queues, the vault and the files as `accessOf` states. */
  of(file: string): PolicyStatement[] {
    return [...this.records(file), ...this.sending(file), ...this.vault(file), ...this.bucket(file)]
  }

  /** Allows a function to write its log and its traces. */
  observing(logGroup: LogGroup): PolicyStatement[] {
    return [
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]),
      allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']),
    ]
  }

  /** Allows access to the items of the kinds that the function uses, and to no other items. */
  records(file: string): PolicyStatement[] {
    const access = accessOf(file)
    return table_ways.flatMap((way) => {
      const kinds = access[way] ?? []
      return kinds.length === 0
        ? []
        : this.#items(
            verbs_of[way],
            kinds.map((kind) => `${kind}#*`),
          )
    })
  }

  /** Allows sending messages to the queues that `accessOf` states for the function. */
  sending(file: string): PolicyStatement[] {
    const { sends = [] } = accessOf(file)
    const queues = queueNames
      .filter((queue) => sends.includes(queue))
      .map((queue) => arnOf('sqs', this.#names.queue(queue)))
    return queues.length === 0 ? [] : [allow(['sqs:SendMessage'], queues)]
  }

  /** Allows queries of the due index. */
  due(): PolicyStatement[] {
    return [allow(['dynamodb:Query'], [`${this.#tableArn()}/index/due`], leadingKeys(['due#*']))]
  }

  /**
   * Allows Lambda to manage the network interfaces of a function in our network. Lambda does so with the function's
   * role.
   */
  network(): PolicyStatement[] {
    const verbs = ['CreateNetworkInterface', 'DescribeNetworkInterfaces', 'DescribeSubnets', 'DeleteNetworkInterface']
    const addresses = ['AssignPrivateIpAddresses', 'UnassignPrivateIpAddresses']
    return [
      allow(
        [...verbs, ...addresses].map((verb) => `ec2:${verb}`),
        ['*'],
      ),
    ]
  }

  /** Allows failed invocations to be sent to their dead-letter queue. */
  failedInvocations(): PolicyStatement[] {
    return [allow(['sqs:SendMessage'], [arnOf('sqs', this.#names.lostWakeUps)])]
  }

  /** Allows a worker to receive and delete the messages of a queue. */
  messages(queue: string): PolicyStatement[] {
    const verbs = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']
    return [
      allow(
        verbs.map((verb) => `sqs:${verb}`),
        [arnOf('sqs', this.#names.queue(queue))],
      ),
    ]
  }

  /** Allows reading the table's stream. DynamoDB allows the listing of streams only for all streams at once. */
  stream(): PolicyStatement[] {
    const verbs = ['DescribeStream', 'GetRecords', 'GetShardIterator']
    return [
      allow(
        verbs.map((verb) => `dynamodb:${verb}`),
        [`${this.#tableArn()}/stream/*`],
      ),
      allow(['dynamodb:ListStreams'], ['*']),
    ]
  }

  /**
   * Allows the use of the vault key for the purposes for which the function seals and opens. A condition selects the
   * key by its alias, because the name of the stage does not determine the ARN of the key.
   */
  vault(file: string): PolicyStatement[] {
    const { seals = [], opens = [] } = accessOf(file)
    return [...this.#key('kms:Encrypt', seals), ...this.#key('kms:Decrypt', opens)]
  }

  /**
   * Allows the function's S3 actions on the bytes of files, whose names begin with the id of a merchant, and on the
   * copies of logos. Earlier versions of a deleted object remain until they expire.
   */
  bucket(file: string): PolicyStatement[] {
    const { objects = [], logos = [] } = accessOf(file)
    return [...this.#objects('mer_*', objects), ...this.#objects('logos/*', logos)]
  }

  #objects(names: string, verbs: readonly ObjectAction[]): PolicyStatement[] {
    if (verbs.length === 0) return []
    const bucket = this.#names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION)
    return [
      allow(
        verbs.map((verb) => `s3:${verb}`),
        [`arn:${Aws.PARTITION}:s3:::${bucket}/${names}`],
      ),
    ]
  }

  #items(verbs: readonly string[], keys: readonly string[]): PolicyStatement[] {
    return [
      allow(
        verbs.map((verb) => `dynamodb:${verb}`),
        [this.#tableArn()],
        leadingKeys(keys),
      ),
    ]
  }

  #key(verb: string, purposes: readonly Purpose[]): PolicyStatement[] {
    if (purposes.length === 0) return []
    const conditions = {
      'ForAnyValue:StringEquals': { 'kms:ResourceAliases': this.#names.vaultKey },
      StringEquals: { 'kms:EncryptionContext:purpose': purposes },
    }
    return [allow([verb], [arnOf('kms', 'key/*')], conditions)]
  }

  #tableArn(): string {
    return arnOf('dynamodb', `table/${this.#names.table}`)
  }
}

/** The ARN of a resource of a service, in the account and the region of the stack. */
export function arnOf(service: string, resource: string): string {
  return `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`
}

/** The DynamoDB actions of each kind of access. A transaction needs the actions of its writes and no other action. */
const verbs_of = {
  gets: ['GetItem', 'BatchGetItem'],
  queries: ['Query'],
  puts: ['PutItem'],
  deletes: ['DeleteItem'],
  checks: ['ConditionCheckItem'],
} as const

const table_ways = Object.keys(verbs_of) as (keyof typeof verbs_of)[]

/**
 * Every key of a call must match one of these patterns. The condition would also hold for a call without keys, but
 * every action that is allowed names keys.
 */
const leadingKeys = (keys: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
})

function allow(actions: string[], resources: string[], conditions?: Record<string, unknown>): PolicyStatement {
  return new PolicyStatement({ actions, resources, conditions })
}
