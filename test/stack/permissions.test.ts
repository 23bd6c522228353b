import { ListObjectsV2Command, S3Client } from '@aws-sdk/client-s3'
import { GetQueueAttributesCommand, SQSClient } from '@aws-sdk/client-sqs'
import { beforeAll, describe, expect, inject, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { queueNames } from '#shared/background.ts'
import { queueUrl } from '#shared/platform/aws/operating.ts'
import { Account } from './account.ts'
import { STAGE } from './deployment.ts'

const names = namesOf(STAGE)

let account: Account
beforeAll(async () => {
  account = await Account.open(inject('emulator'))
})

describe('KMS in the emulator', () => {
  test.each([
    ['the alias that the key has', { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': 'the alias' } }, false],
    ['another alias', { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': 'alias/another' } }, true],
    ['the purpose of the call', { StringEquals: { 'kms:EncryptionContext:purpose': 'test' } }, false],
    ['another purpose', { StringEquals: { 'kms:EncryptionContext:purpose': 'another' } }, true],
  ])('with a policy for %s (%o) denies the call: %s', async (_, condition, refused) => {
    const text = JSON.stringify(condition).replace('the alias', account.key_alias)
    const limits = { Resource: account.key_arn, Condition: JSON.parse(text) }
    expect(await account.refusesEncrypt(limits)).toBe(refused)
  })
})

describe('access of a user with all permissions', () => {
  /** The protocol that a caller of the emulator claims to use. */
  type Scheme = 'https' | 'http'

  /** A client of a user with all permissions. */
  async function clientOf<C extends S3Client | SQSClient>(
    Client: new (config: object) => C,
    scheme: Scheme,
  ): Promise<C> {
    const credentials = await account.userWho({ Action: '*', Resource: '*' })
    const client = new Client({ ...account.client, credentials })
    const { middlewareStack } = client as S3Client
    middlewareStack.add(
      (next) => (args) => {
        const { headers } = args.request as { headers: Record<string, string> }
        headers['x-forwarded-proto'] = scheme
        return next(args)
      },
      { step: 'build' },
    )
    return client
  }

  test.each([
    ['https', false],
    ['http', true],
  ] as const)('to the files over %s is denied: %s', async (scheme, refused) => {
    const client = await clientOf(S3Client, scheme)
    const command = new ListObjectsV2Command({ Bucket: names.filesBucket('000000000000', 'us-east-1') })
    expect(await account.refuses(client.send(command))).toBe(refused)
  })

  test.each(queueNames.flatMap((queue) => [[queue, 'https', false] as const, [queue, 'http', true] as const]))(
    'to the queue %s over %s is denied: %s',
    async (queue, scheme, refused) => {
      const client = await clientOf(SQSClient, scheme)
      const QueueUrl = await queueUrl(names.queue(queue))
      const command = new GetQueueAttributesCommand({ QueueUrl, AttributeNames: ['QueueArn'] })
      expect(await account.refuses(client.send(command))).toBe(refused)
    },
  )
})
