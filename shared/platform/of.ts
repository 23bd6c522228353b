import { DynamodbTable } from './aws/dynamodb-table.ts'
import { KmsVault } from './aws/kms-vault.ts'
import { sqsQueue } from './aws/sqs-queue.ts'
import { systemClock } from './aws/system-clock.ts'
import type { Bucket, Platform } from './ports.ts'
import { resolve } from './resolve.ts'

let aws: Platform | undefined

/**
 * The platform that a handler runs on: the one that its caller hands in, or AWS as the environment names it, made once
 * for all calls of a process. Throws when the environment lacks a name.
 */
export function platformOf(context: object): Platform {
  if ('platform' in context) return context.platform as Platform
  aws ??= awsPlatform()
  return aws
}

function awsPlatform(): Platform {
  const clock = systemClock
  return {
    table: new DynamodbTable(setting('TABLE_NAME'), clock),
    queues: {
      deliveries: sqsQueue(setting('DELIVERIES_QUEUE_URL'), clock),
      captures: sqsQueue(setting('CAPTURES_QUEUE_URL'), clock),
      chores: sqsQueue(setting('CHORES_QUEUE_URL'), clock),
    },
    vault: new KmsVault(setting('VAULT_KEY_ID')),
    bucket: no_bucket,
    clock,
    resolve,
    // Not through the console, which Lambda has put a prefix to: a filter of the log reads only lines that are JSON alone.
    log: (entry) => process.stdout.write(`${JSON.stringify(entry)}\n`),
    live_acquirer: process.env.LIVE_ACQUIRER === 'sandbox' ? 'sandbox' : 'none',
    loopback_webhooks: false,
  }
}

const refuse = () => Promise.reject(new Error('this function has no bucket'))

/** What most functions have for a bucket: those that touch files bring theirs with them. */
const no_bucket: Bucket = { put: refuse, remove: refuse, link: refuse }

function setting(name: string): string {
  const value = process.env[name]
  if (!value) throw new Error(`The environment variable ${name} is not set.`)
  return value
}
