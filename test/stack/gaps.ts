import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb'
import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { Account } from './account.ts'

/** A difference between ministack and AWS that the stacks depend on. */
export interface Gap {
  readonly what: string
  /** How the suite treats the gap. */
  readonly treatment: string
  /** Whether ministack has the gap when `server.py` fills no gap. */
  isOpen(account: Account): Promise<boolean>
}

/**
 * The gaps that keep ministack 1.5.33 from running the stacks unchanged or from checking them fully. A test checks each
 * gap, so a gap that a later version closes must be removed from this table.
 */
export const gaps: readonly Gap[] = [
  {
    what: 'an imported API loses its operations for any method, so nothing answers 404, 405 and OPTIONS',
    treatment: 'server.py imports them',
    async isOpen(account) {
      const integration = { type: 'aws_proxy', httpMethod: 'POST', uri: 'arn:aws:apigateway:us-east-1:lambda:path/x' }
      const operation = { 'x-amazon-apigateway-integration': integration }
      const paths = { '/': { 'x-amazon-apigateway-any-method': operation } }
      const { id } = await account.rest('POST', '/restapis?mode=import', { openapi: '3.0.1', info: {}, paths })
      const { item } = await account.rest('GET', `/restapis/${id}/resources?embed=methods`)
      return !item.some(({ resourceMethods = {} }: { resourceMethods?: object }) => 'ANY' in resourceMethods)
    },
  },
  {
    what: 'a call to KMS that names an alias is authorized on the alias, not on its key',
    treatment: 'server.py looks up the key',
    isOpen: (account) => account.refusesEncrypt({ Resource: account.key_arn }),
  },
  {
    what: 'the condition key kms:ResourceAliases is unknown',
    treatment: 'server.py adds it',
    isOpen: (account) =>
      account.refusesEncrypt({
        Condition: { 'ForAnyValue:StringEquals': { 'kms:ResourceAliases': account.key_alias } },
      }),
  },
  {
    what: 'the condition key kms:EncryptionContext is unknown',
    treatment: 'server.py adds it',
    isOpen: (account) =>
      account.refusesEncrypt({ Condition: { StringEquals: { 'kms:EncryptionContext:purpose': 'test' } } }),
  },
  {
    what: 'a batch of messages is authorized as sqs:SendMessageBatch, not as sqs:SendMessage',
    treatment: 'server.py names the action that AWS checks',
    async isOpen(account) {
      const credentials = await account.userWho({ Action: 'sqs:SendMessage', Resource: '*' })
      const Entries = [{ Id: '1', MessageBody: 'text' }]
      const command = new SendMessageBatchCommand({ QueueUrl: account.queue_url, Entries })
      return account.refuses(new SQSClient({ ...account.client, credentials }).send(command))
    },
  },
  {
    what: 'the condition key dynamodb:LeadingKeys is unknown',
    treatment: 'the stage runs, but a role can read and write records of every kind',
    async isOpen(account) {
      const credentials = await account.userWho({
        Action: 'dynamodb:GetItem',
        Resource: '*',
        Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['another#*'] } },
      })
      const command = new GetItemCommand({ TableName: account.table, Key: { pk: { S: 'one#1' } } })
      return !(await account.refuses(new DynamoDBClient({ ...account.client, credentials }).send(command)))
    },
  },
  {
    what: 'an alarm over metric math cannot be created',
    treatment: 'the stack Operations is deployed without these alarms',
    isOpen: (account) =>
      account.cannotCreate({
        Type: 'AWS::CloudWatch::Alarm',
        Properties: {
          Metrics: [
            { Id: 'sum', Expression: 'one + one' },
            { Id: 'one', MetricStat: { Metric: { MetricName: 'm', Namespace: 'n' }, Period: 60, Stat: 'Sum' } },
          ],
          ComparisonOperator: 'GreaterThanThreshold',
          EvaluationPeriods: 1,
          Threshold: 1,
        },
      }),
  },
]
