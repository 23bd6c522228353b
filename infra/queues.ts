import { Duration } from 'aws-cdk-lib'
import { PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Key } from 'aws-cdk-lib/aws-kms'
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs'
import type { Construct } from 'constructs'
import { queueNames, worker_seconds } from '#shared/background.ts'
import type { QueueName } from '#shared/platform/ports.ts'
import type { Names } from './names.ts'
import { arnOf } from './permissions.ts'
import { accept } from './review.ts'

/** The queue of each kind of work, each with its dead letters, and where wake-ups end that could not be delivered. */
export function queues(scope: Construct, names: Names, key: Key): void {
  for (const queue of queueNames) workQueue(scope, queue, names, key)
  lostWakeUps(scope, names, key)
}

/** A standard queue: deliveries carry their receiver as the message group, by which SQS serves them fairly. */
function workQueue(scope: Construct, queue: QueueName, names: Names, key: Key): void {
  const dead = deadLetters(scope, `${queue}-dead-letters`, names.deadLetters(queue), key)
  new Queue(scope, queue, {
    ...sealedWith(key),
    queueName: names.queue(queue),
    // What failed comes back after this time. Six times the worker's own limit, as Lambda advises: a throttled batch is
    // not handed out twice meanwhile. For a delivery that is still sooner than the sweep looks again.
    visibilityTimeout: Duration.seconds(6 * worker_seconds[queue]),
    deadLetterQueue: { queue: dead, maxReceiveCount: 5 },
  })
}

function lostWakeUps(scope: Construct, names: Names, key: Key): void {
  const queue = deadLetters(scope, 'lost-wake-ups', names.lostWakeUps, key)
  accept(queue, ['AwsSolutions-SQS3'], "It takes what other services could not deliver, and is nobody's source.")
  queue.addToResourcePolicy(
    new PolicyStatement({
      principals: [new ServicePrincipal('events.amazonaws.com')],
      actions: ['sqs:SendMessage'],
      resources: [arnOf('sqs', names.lostWakeUps)],
      conditions: { ArnEquals: { 'aws:SourceArn': arnOf('events', `rule/${names.everyMinute}`) } },
    }),
  )
}

function deadLetters(scope: Construct, id: string, queueName: string, key: Key): Queue {
  const queue = new Queue(scope, id, { ...sealedWith(key), queueName, retentionPeriod: Duration.days(14) })
  accept(queue, ['Serverless-SQSRedrivePolicy'], 'This is where the letters of others end.')
  return queue
}

/** Our key at rest, asked for once an hour, and TLS on the way. */
const sealedWith = (encryptionMasterKey: Key) => ({
  encryption: QueueEncryption.KMS,
  encryptionMasterKey,
  dataKeyReuse: Duration.hours(1),
  enforceSSL: true,
})
