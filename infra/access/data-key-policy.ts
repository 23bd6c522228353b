import { Aws } from 'aws-cdk-lib'
import { AnyPrincipal, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Names } from '#infra/names.ts'
import { arnOf } from './access-policies.ts'

/**
 * `usersOf` returns the policy statements of the data key. They let every principal of the account use the key, but
 * only through DynamoDB, S3 and SQS, so access to the table, the files or a queue includes decryption. CloudWatch Logs,
 * EventBridge and CloudWatch alarms can use the key for the log groups, the queue and the topic of the stage alone.
 */
export function usersOf(names: Names): PolicyStatement[] {
  const service = (name: string) => `${name}.${Aws.REGION}.${Aws.URL_SUFFIX}`
  const logs = ['lambda', 'apigateway'].map((folder) => `log-group:/aws/${folder}/${names.functions}*`)
  return [
    allow(new AnyPrincipal(), {
      StringEquals: {
        'kms:CallerAccount': Aws.ACCOUNT_ID,
        'kms:ViaService': ['dynamodb', 's3', 'sqs'].map(service),
      },
    }),
    allow(new ServicePrincipal(service('logs')), {
      ArnLike: {
        'kms:EncryptionContext:aws:logs:arn': [...logs, `log-group:${names.firewallLog}`].map((log) =>
          arnOf('logs', log),
        ),
      },
    }),
    allow(new ServicePrincipal('events.amazonaws.com'), {
      StringEquals: { 'kms:EncryptionContext:aws:sqs:arn': arnOf('sqs', names.lostWakeUps) },
    }),
    allow(new ServicePrincipal('cloudwatch.amazonaws.com'), {
      StringEquals: { 'kms:EncryptionContext:aws:sns:topicArn': arnOf('sns', names.alarms) },
    }),
  ]
}

function allow(principal: AnyPrincipal | ServicePrincipal, conditions: Record<string, unknown>): PolicyStatement {
  return new PolicyStatement({
    principals: [principal],
    actions: ['kms:Encrypt', 'kms:Decrypt', 'kms:ReEncrypt*', 'kms:GenerateDataKey*', 'kms:DescribeKey'],
    resources: ['*'],
    conditions,
  })
}
