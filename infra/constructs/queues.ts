import { Duration } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { arnOf } from '#infra/access/access-policies.ts'
import type { Names } from '#infra/names.ts'
import { queueNames, worker_seconds } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import { accept } from './nag-review.ts'

/**
 * Creates a queue with a dead-letter queue for each kind of work, and the dead-letter queue of failed invocations, to
 * which the rules of the sweep may send.
 */
export function queues(scope: Construct, names: Names, key: Key, sweepRules: readonly string[]): void {
  for (const queue of queueNames) workQueue(scope, queue, names, key)
  lostWakeUps(scope, names, key, sweepRules)
}

/** A standard queue. A delivery has its receiver as the message group, so SQS serves the receivers fairly. */
function workQueue(scope: Construct, queue: QueueName, names: Names, key: Key): void {
  const dead = deadLetters(scope, `${queue}-dead-letters`, names.deadLetters(queue), key)
  new Queue(scope, queue, {
    ...sealedWith(key),
    queueName: names.queue(queue),
    // A failed message returns after this time. Lambda advises six times the worker's timeout, so that SQS does not
    // hand out a throttled batch twice. A delivery returns after 3 minutes, before the sweep queues it again.
    visibilityTimeout: Duration.seconds(6 * worker_seconds[queue]),
    deadLetterQueue: { queue: dead, maxReceiveCount: 5 },
  })
}

function lostWakeUps(scope: Construct, names: Names, key: Key, rules: readonly string[]): void {
  const queue = deadLetters(scope, 'lost-wake-ups', names.lostWakeUps, key)
  accept(
    queue,
    ['AwsSolutions-SQS3'],
    'This is a dead-letter queue itself. It receives what other services could not deliver.',
  )
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [arnOf('sqs', names.lostWakeUps)],
      conditions: { ArnEquals: { 'aws:SourceArn': rules.map((rule) => arnOf('events', `rule/${rule}`)) } },
    }),
  )
}

function deadLetters(scope: Construct, id: string, queueName: string, key: Key): Queue {
  const queue = new Queue(scope, id, { ...sealedWith(key), queueName, retentionPeriod: Duration.days(14) })
  accept(queue, ['Serverless-SQSRedrivePolicy'], 'This is a dead-letter queue itself.')
  return queue
}

/** Encryption with our key, which SQS requests once an hour, and TLS in transit. */
const sealedWith = (encryptionMasterKey: Key) => ({
  encryption: QueueEncryption.KMS,
  encryptionMasterKey,
  dataKeyReuse: Duration.hours(1),
  enforceSSL: true,
})
