import { Aws } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import type { Purpose } from '#shared/store/sealed.ts'
import type { Names } from './names.ts'
import { table_ways } from './table-use.ts'
import { queuesOf, tableUseOf } from './uses.ts'
import { bucket_uses, type VaultUse, vault_uses } from './vault-uses.ts'

/** What the role of a function may be allowed, by the names of a stage. */
export class Permissions {
  readonly #names: Names

  constructor(names: Names) {
    this.#names = names
  }

  /** To use table, queues, vault and files as the tables say. */
  of(file: string): PolicyStatement[] {
    return [...this.records(file), ...this.sending(file), ...this.vault(file), ...this.bucket(file)]
  }

  /** To write its own log and its traces. */
  observing(logGroup: LogGroup): PolicyStatement[] {
    return [
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]),
      allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']),
    ]
  }

  /** To use the records of the kinds that the table names, and no other items. */
  records(file: string): PolicyStatement[] {
    const use = tableUseOf(file)
    return table_ways.flatMap((way) => {
      const kinds = use[way] ?? []
      return kinds.length === 0
        ? []
        : this.#items(
            verbs_of[way],
            kinds.map((kind) => `${kind}#*`),
          )
    })
  }

  /** To say what is to be done soon with what was written. */
  sending(file: string): PolicyStatement[] {
    const queues = queuesOf(file).map((queue) => arnOf('sqs', this.#names.queue(queue)))
    return queues.length === 0 ? [] : [allow(['sqs:SendMessage'], queues)]
  }

  /** To see what falls due. */
  due(): PolicyStatement[] {
    return [allow(['dynamodb:Query'], [`${this.#tableArn()}/index/due`], leadingKeys(['due#*']))]
  }

  /** To go out by a network of ours: Lambda makes the function's interfaces there in the name of its role. */
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

  /** To leave behind what it was woken for in vain. */
  losing(): PolicyStatement[] {
    return [allow(['sqs:SendMessage'], [arnOf('sqs', this.#names.lostWakeUps)])]
  }

  /** To take the messages of a queue. */
  messages(queue: string): PolicyStatement[] {
    const verbs = ['ReceiveMessage', 'DeleteMessage', 'GetQueueAttributes']
    return [
      allow(
        verbs.map((verb) => `sqs:${verb}`),
        [arnOf('sqs', this.#names.queue(queue))],
      ),
    ]
  }

  /** To read the table's stream. Which streams there are can only be asked of all of them at once. */
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

  /** To use the key of the vault as the table says. The ARN of a key is not known by name, its alias is. */
  vault(file: string): PolicyStatement[] {
    const { seals, opens }: VaultUse = vault_uses[file as keyof typeof vault_uses] ?? { seals: [], opens: [] }
    return [...this.#key('kms:Encrypt', seals), ...this.#key('kms:Decrypt', opens)]
  }

  /** To touch the files' bytes as the table says. Of what is deleted, earlier versions stay until they expire. */
  bucket(file: string): PolicyStatement[] {
    const verb = bucket_uses[file as keyof typeof bucket_uses]
    if (verb === undefined) return []
    const name = this.#names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION)
    return [allow([`s3:${verb}`], [`arn:${Aws.PARTITION}:s3:::${name}/*`])]
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

/** The ARN of a thing of a service, in the account and the region of the stack. */
export function arnOf(service: string, resource: string): string {
  return `arn:${Aws.PARTITION}:${service}:${Aws.REGION}:${Aws.ACCOUNT_ID}:${resource}`
}

/** The actions behind each way of using the table. A transaction needs those of its writes, and nothing of its own. */
const verbs_of = {
  gets: ['GetItem', 'BatchGetItem'],
  queries: ['Query'],
  puts: ['PutItem'],
  deletes: ['DeleteItem'],
  checks: ['ConditionCheckItem'],
} as const

/** Every key of a call must begin like one of these. All the calls that are ever allowed name keys. */
const leadingKeys = (keys: readonly string[]) => ({
  'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': keys },
})

function allow(actions: string[], resources: string[], conditions?: Record<string, unknown>): PolicyStatement {
  return new PolicyStatement({ actions, resources, conditions })
}
