import { DynamodbTable } from './aws/dynamodb-table.ts'
import { KmsVault } from './aws/kms-vault.ts'
import { sqsQueue } from './aws/sqs-queue.ts'
import { systemClock } from './aws/system-clock.ts'
import { resolveHost } from './dns.ts'
import { writeLog } from './log-line.ts'
import type { Bucket, Platform, QueueName, WholeTable } from './ports.ts'

let aws: Platform | undefined

/**
 * The platform of a handler: the one that its caller passes in the context, or AWS with the names from the environment.
 * The AWS platform is created once per process. Throws if a required environment variable is missing.
 */
export function platformOf(context: object): Platform {
  if ('platform' in context) return context.platform as Platform
  aws ??= awsPlatform({
    table: setting('TABLE_NAME'),
    queue_urls: {
      deliveries: setting('DELIVERIES_QUEUE_URL'),
      captures: setting('CAPTURES_QUEUE_URL'),
      chores: setting('CHORES_QUEUE_URL'),
      clocks: setting('CLOCKS_QUEUE_URL'),
    },
    vault_key: setting('VAULT_KEY_ID'),
    live_acquirer: process.env.LIVE_ACQUIRER === 'sandbox' ? 'sandbox' : 'none',
  })
  return aws
}

/** The names of the platform's resources on AWS. */
export interface AwsNames extends Pick<Platform, 'live_acquirer'> {
  readonly table: string
  readonly queue_urls: Readonly<Record<QueueName, string>>
  /** The id, ARN or alias of the KMS key. */
  readonly vault_key: string
}

/** The platform on AWS, with a table that the operator can read whole. */
export function awsPlatform(names: AwsNames): Platform & { readonly table: WholeTable } {
  const clock = systemClock
  const { deliveries, captures, chores, clocks } = names.queue_urls
  return {
    table: new DynamodbTable(names.table, clock),
    queues: {
      deliveries: sqsQueue(deliveries, clock),
      captures: sqsQueue(captures, clock),
      chores: sqsQueue(chores, clock),
      clocks: sqsQueue(clocks, clock),
    },
    vault: new KmsVault(names.vault_key),
    bucket: no_bucket,
    provider_access: null,
    clock,
    resolve: resolveHost,
    log: writeLog,
    live_acquirer: names.live_acquirer,
    loopback_webhooks: false,
    isOwnServer: () => false,
  }
}

const refuse = () => Promise.reject(new Error('this function has no bucket'))

/** The bucket of most functions, which refuses every call. A function that needs files uses `platformWithBucket`. */
const no_bucket: Bucket = { put: refuse, get: refuse, remove: refuse, link: refuse }

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is not set.`)
  return value
}
