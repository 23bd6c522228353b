import { Aws } from 'aws-cdk-lib'
import { PolicyStatement } from 'aws-cdk-lib/aws-iam'
import type { LogGroup } from 'aws-cdk-lib/aws-logs'
import { queueNames, type workers } from '#shared/background.ts'
import type { PageRoute, pages, Route, routes } from '#shared/routes.ts'
import type { Purpose } from '#shared/store/sealed.ts'
import type { Names } from './names.ts'

/** What a function seals in the vault, and what it opens there. */
interface VaultUse {
  readonly seals: readonly Purpose[]
  readonly opens: readonly Purpose[]
}

type File = NonNullable<(typeof routes)[Route] | (typeof pages)[PageRoute] | (typeof workers)[keyof typeof workers]>

/**
 * Who may use the key of the vault, and for what; nobody else may. What a thing was sealed for is bound in, so KMS itself
 * refuses to open a card for who signs webhooks.
 */
export const vault_uses = {
  'tokens/create': { seals: ['payment_details'], opens: [] },
  'customers/create': { seals: ['payment_details'], opens: ['payment_details'] },
  'customers/update': { seals: ['payment_details'], opens: ['payment_details'] },
  'payments/create': { seals: ['webhook_secret'], opens: ['payment_details'] },
  'sessions/create': { seals: ['webhook_secret'], opens: [] },
  'sessions/pay': { seals: ['payment_details'], opens: ['payment_details'] },
  'pages/sessions/pay': { seals: ['payment_details'], opens: ['payment_details'] },
  'secure-tokens/create': { seals: ['payment_details'], opens: ['payment_details'] },
  'webhooks/create': { seals: ['webhook_secret'], opens: [] },
  'webhooks/update': { seals: ['webhook_secret'], opens: [] },
  'webhooks/rotate': { seals: ['webhook_secret'], opens: [] },
  'subscriptions/create': { seals: [], opens: ['payment_details'] },
  'background/capture': { seals: [], opens: ['payment_details'] },
  'background/deliver': { seals: [], opens: ['webhook_secret'] },
} as const satisfies Partial<Record<File, VaultUse>>

/** Who may touch the files' bytes, and how; nobody else may. The key that encrypts them follows the bucket. */
export const bucket_uses = {
  'files/create': 'PutObject',
  'files/content': 'GetObject',
  'background/chores': 'DeleteObject',
} as const satisfies Partial<Record<File, string>>

/** What the role of a function may be allowed, by the names of a stage. */
export class Permissions {
  readonly #names: Names

  constructor(names: Names) {
    this.#names = names
  }

  /** To write its own log and its traces. */
  observing(logGroup: LogGroup): PolicyStatement[] {
    return [
      allow(['logs:CreateLogStream', 'logs:PutLogEvents'], [logGroup.logGroupArn]),
      allow(['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], ['*']),
    ]
  }

  /** To read and write the table, and to say what is to be done with what was written. */
  records(): PolicyStatement[] {
    const verbs = ['BatchGetItem', 'ConditionCheckItem', 'DeleteItem', 'GetItem', 'PutItem', 'Query']
    return [
      allow(
        verbs.map((verb) => `dynamodb:${verb}`),
        [this.#tableArn()],
      ),
      allow(
        ['sqs:SendMessage'],
        queueNames.map((queue) => arnOf('sqs', this.#names.queue(queue))),
      ),
    ]
  }

  /** To see what falls due. */
  due(): PolicyStatement[] {
    return [allow(['dynamodb:Query'], [`${this.#tableArn()}/index/due`])]
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

function allow(actions: string[], resources: string[], conditions?: Record<string, unknown>): PolicyStatement {
  return new PolicyStatement({ actions, resources, conditions })
}
