import { DescribeContinuousBackupsCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb'
import {
  GetQueueAttributesCommand,
  GetQueueUrlCommand,
  ListMessageMoveTasksCommand,
  SQSClient,
  StartMessageMoveTaskCommand,
} from '@aws-sdk/client-sqs'
import { DynamoDBDocumentClient, ScanCommand } from '@aws-sdk/lib-dynamodb'
import { mockClient } from 'aws-sdk-client-mock'
import { beforeEach, describe, expect, test } from 'vitest'
import { operate } from '#infra/operate/operate.ts'
import { textOf } from '#test/house/source-files.ts'

const sqs = mockClient(SQSClient)
const dynamodb = mockClient(DynamoDBClient)
const documents = mockClient(DynamoDBDocumentClient)
beforeEach(() => {
  for (const client of [sqs, dynamodb, documents]) client.reset()
  sqs.on(GetQueueUrlCommand).callsFake(({ QueueName }) => ({
    QueueUrl: `https://sqs.eu-west-1.amazonaws.com/123456789012/${QueueName}`,
  }))
})

async function runCommand(words: string) {
  const out: string[] = []
  const err: string[] = []
  const code = await operate(words.split(' '), {
    out: (line) => out.push(line),
    err: (line) => err.push(line),
    env: {},
  })
  return { code, out: out.join('\n'), err: err.join('\n') }
}

describe('operate --stage', () => {
  test('reconciles the table of the stage, page by page, or a given table', async () => {
    documents
      .on(ScanCommand)
      .resolvesOnce({ Items: [], LastEvaluatedKey: { pk: 'p', sk: 's' } })
      .resolves({ Items: [] })
    expect((await runCommand('reconcile --stage dev')).code).toBe(0)
    expect((await runCommand('reconcile --stage dev --table payment-service-dev-table-restored')).code).toBe(0)
    const scans = documents.commandCalls(ScanCommand).map((call) => call.args[0].input)
    expect(scans.map(({ TableName, ExclusiveStartKey }) => [TableName, ExclusiveStartKey])).toEqual([
      ['payment-service-dev-table', undefined],
      ['payment-service-dev-table', { pk: 'p', sk: 's' }],
      ['payment-service-dev-table-restored', undefined],
    ])
  })

  test('moves the dead letters of a queue back', async () => {
    sqs.on(GetQueueAttributesCommand).resolves({ Attributes: { QueueArn: 'arn', ApproximateNumberOfMessages: '2' } })
    sqs.on(StartMessageMoveTaskCommand).resolves({})
    const moved = { ApproximateNumberOfMessagesMoved: 2, ApproximateNumberOfMessagesToMove: 2 }
    sqs.on(ListMessageMoveTasksCommand).resolves({ Results: [{ Status: 'COMPLETED', ...moved }] })
    expect(await runCommand('redrive captures --stage dev')).toEqual({
      code: 0,
      out: '2 messages were moved back to captures: COMPLETED',
      err: '2 of 2 moved',
    })
    const asked = sqs.commandCalls(GetQueueUrlCommand).map((call) => call.args[0].input.QueueName)
    expect(asked).toEqual(['payment-service-dev-captures-dead-letters'])
  })

  test('prints how to restore the stage and the period that can be restored', async () => {
    const window = { EarliestRestorableDateTime: new Date(0), LatestRestorableDateTime: new Date(1000) }
    dynamodb.on(DescribeContinuousBackupsCommand).resolves({
      ContinuousBackupsDescription: {
        ContinuousBackupsStatus: 'ENABLED',
        PointInTimeRecoveryDescription: { PointInTimeRecoveryStatus: 'ENABLED', ...window },
      },
    })
    const { code, out } = await runCommand('restore --stage prod --at 1970-01-01T00:00:01Z')
    expect(code).toBe(0)
    expect(out).toContain('from 1970-01-01T00:00:00.000Z to 1970-01-01T00:00:01.000Z')
    expect(out).toMatch(/--source-table-name payment-service-prod-table .*--restore-date-time 1970-01-01T00:00:01Z/)
    // The command of CDK selects stacks by these construct ids and not by their names.
    expect(out).toContain('npx cdk deploy --exclusively Functions Api -c stage=prod\n')
    for (const id of ['Functions', 'Api'])
      expect(textOf('infra/stacks/stage-stacks.ts')).toContain(`Stack(app, '${id}'`)
    expect((await runCommand('backup --stage prod')).out).toContain('--key-id alias/payment-service-prod-vault')
    expect((await runCommand('restore --stage prod --at soon')).code).toBe(2)
  })

  test('exits with 1 if the table has no point-in-time recovery, and if AWS does not answer', async () => {
    dynamodb.on(DescribeContinuousBackupsCommand).resolvesOnce({}).rejects(new Error('no network'))
    const { code, out } = await runCommand('backup --stage dev')
    expect([code, out.split('\n')[0]]).toEqual([
      1,
      'Point-in-time recovery of payment-service-dev-table is off. Deploy its data stack to switch it on.',
    ])
    const { code: failed, err } = await runCommand('backup --stage dev')
    expect([failed, err]).toEqual([1, 'The platform does not respond (no network). Try again.'])
  })
})

describe('operate --stage without access to AWS', () => {
  const sso = 'The SSO session associated with this profile has expired. To refresh this SSO session run aws sso login.'
  const denied = 'User: arn:aws:iam::123456789012:user/op is not authorized to perform: sqs:GetQueueUrl'

  test.each([
    ['Error', 'Region is missing', /^The AWS region is missing .*AWS_REGION/],
    [
      'CredentialsProviderError',
      'Could not load credentials from any providers',
      /^No valid AWS credentials .*SIGN_IN/,
    ],
    ['CredentialsProviderError', sso, /^The AWS credentials have expired .*SSO session.*SIGN_IN/],
    ['TokenProviderError', 'Token is not valid', /^No valid AWS credentials .*SIGN_IN/],
    [
      'ENOTFOUND',
      'getaddrinfo ENOTFOUND sqs.nowhere-1.amazonaws.com',
      /^AWS cannot be reached .*nowhere-1.*the region\.$/,
    ],
  ])('prints the cause and a remedy for an error of the client: %s: %s', async (name, message, expected) => {
    const error = Object.assign(
      new Error(message),
      name.startsWith('E') && name !== 'Error' ? { code: name } : { name },
    )
    sqs.on(GetQueueUrlCommand).rejects(error)
    const { code, out, err } = await runCommand('application show mer_1 --stage dev')
    expect([code, out]).toEqual([1, ''])
    expect(err).toMatch(withSignIn(expected))
    expect(err).not.toContain('\n')
  })

  test.each([
    [
      'ExpiredTokenException',
      'The security token included in the request is expired',
      /^The AWS credentials have expired .*SIGN_IN/,
    ],
    ['UnrecognizedClientException', 'The security token is invalid.', /^AWS does not accept the credentials .*SIGN_IN/],
    ['InvalidSignatureException', 'Signature not yet current', /^AWS does not accept the signature .*clock/],
    [
      'AccessDeniedException',
      denied,
      /^AWS denies access \(AccessDeniedException: User: arn:\S+ is not authorized .*GetQueueUrl\)\./,
    ],
    [
      'QueueDoesNotExist',
      'The specified queue does not exist.',
      /^AWS does not find a queue, a table or a file of the stage \(\w+: .* exist\)\. Check the names/,
    ],
  ])('prints the cause and a remedy for a refusal by AWS: %s', async (name, message, expected) => {
    sqs.on(GetQueueUrlCommand).rejects(Object.assign(new Error(message), { name, $fault: 'client' }))
    const { code, err } = await runCommand('application show mer_1 --stage dev')
    expect(code).toBe(1)
    expect(err).toMatch(withSignIn(expected))
  })

  test('prints the same for a table that denies access after the queues were found', async () => {
    documents
      .on(ScanCommand)
      .rejects(Object.assign(new Error(denied), { name: 'AccessDeniedException', $fault: 'client' }))
    expect((await runCommand('reconcile --stage dev')).err).toMatch(
      /^AWS denies access \(AccessDeniedException: User: arn/,
    )
  })
})

/** The pattern with `SIGN_IN` replaced by how an operator gets valid credentials. */
const withSignIn = ({ source }: RegExp): RegExp =>
  new RegExp(source.replace('SIGN_IN', 'aws sso login.*AWS_PROFILE.*AWS_ACCESS_KEY_ID'))
