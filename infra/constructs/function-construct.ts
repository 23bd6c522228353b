import { Aws, Duration } from 'aws-cdk-lib'
import { type IRole, PolicyDocument, type PolicyStatement, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { IKey } from 'aws-cdk-lib/aws-kms'
import {
  Architecture,
  type Code,
  type FunctionOptions,
  Function as Lambda,
  Runtime,
  Tracing,
} from 'aws-cdk-lib/aws-lambda'
import type { Construct } from 'constructs'
import { Permissions } from '#infra/access/access-policies.ts'
import type { Names } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'
import { accept } from './nag-review.ts'
import { stageLog } from './stage-log.ts'

/** What the functions of a stage have in common. */
export interface CommonSettings {
  readonly stage: Stage
  readonly names: Names
  /** The name of the function of a file. */
  readonly nameOf: (file: string) => string
  readonly code: (file: string) => Code
  /** Encrypts the logs. */
  readonly key: IKey
}

/** What distinguishes one function of a stage from the others. */
export interface FunctionSettings {
  readonly seconds: number
  /** The permissions that the event source of the function requires of its role. */
  readonly eventSource?: readonly PolicyStatement[]
  readonly options?: FunctionOptions
}

/** Creates the Lambda function of a file, with a role and a log group for this function alone. */
export function functionConstruct(
  scope: Construct,
  file: string,
  common: CommonSettings,
  { seconds, eventSource = [], options }: FunctionSettings,
): Lambda {
  const { stage, names } = common
  const id = file.replaceAll('/', '-')
  const functionName = common.nameOf(file)
  const logGroup = stageLog(scope, `${id}-logs`, {
    stage,
    logGroupName: `/aws/lambda/${functionName}`,
    encryptionKey: common.key,
  })
  const permissions = new Permissions(names)
  const statements = [...permissions.observing(logGroup), ...permissions.of(file), ...eventSource]
  const lambda = new Lambda(scope, id, {
    functionName,
    runtime: Runtime.NODEJS_24_X,
    architecture: Architecture.ARM_64,
    handler: 'index.handler',
    code: common.code(file),
    memorySize: 512,
    timeout: Duration.seconds(seconds),
    role: roleWith(statements, scope, `${id}-role`),
    logGroup,
    tracing: Tracing.ACTIVE,
    environment: environmentOf(common),
    ...options,
  })
  if (!options?.deadLetterQueue)
    accept(lambda, ['Serverless-LambdaDLQ'], 'All callers invoke this function synchronously and receive its errors.')
  return lambda
}

/** Creates the role of a function. Its policy holds exactly these statements: CDK cannot add to them. */
function roleWith(statements: PolicyStatement[], scope: Construct, id: string): IRole {
  const role = new Role(scope, id, {
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    inlinePolicies: { own: new PolicyDocument({ statements }) },
  })
  acceptWildcards(role, statements)
  return role.withoutPolicyUpdates()
}

/** The accepted wildcards in policies, each with its reason. Any other wildcard is a finding of cdk-nag. */
const wildcards: readonly (readonly [resource: RegExp, reason: string])[] = [
  [
    /^\*$/,
    'The actions for traces of X-Ray, for listing streams and for network interfaces support no narrower resource.',
  ],
  [
    /:kms:.*:key\/\*$/,
    'The ARN of a key does not contain its name. A condition restricts the access to the alias of the vault and to one purpose.',
  ],
  [
    /:s3:::.*\/(mer_|logos\/)\*$/,
    'This bucket contains the files of all merchants and the copies of logos, and each function may do only one thing with them.',
  ],
  [/:table\/.*\/stream\/\*$/, 'The ARN of a stream ends with its creation time.'],
]

function acceptWildcards(role: Role, statements: readonly PolicyStatement[]): void {
  const resources = [...new Set(statements.flatMap((statement) => statement.resources))]
  for (const resource of resources.map((arn) => spelled(role, arn)).filter((arn) => arn.includes('*'))) {
    const reason = wildcards.find(([pattern]) => pattern.test(resource))?.[1]
    if (reason) accept(role, [`AwsSolutions-IAM5[Resource::${resource}]`, 'Serverless-LambdaStarPermissions'], reason)
  }
}

/** Spells an ARN as the rules of cdk-nag do: a value that only AWS knows is in angle brackets. */
function spelled(role: Role, arn: string): string {
  const joined: unknown = role.stack.resolve(arn)
  if (typeof joined === 'string') return joined
  const parts = (joined as { 'Fn::Join'?: [string, (string | { Ref: string })[]] })['Fn::Join']?.[1] ?? []
  return parts.map((part) => (typeof part === 'string' ? part : `<${part.Ref}>`)).join('')
}

function environmentOf({ names, stage }: CommonSettings): Record<string, string> {
  const queueUrl = (queue: string) =>
    `https://sqs.${Aws.REGION}.${Aws.URL_SUFFIX}/${Aws.ACCOUNT_ID}/${names.queue(queue)}`
  return {
    TABLE_NAME: names.table,
    ...Object.fromEntries(queueNames.map((queue) => [`${queue.toUpperCase()}_QUEUE_URL`, queueUrl(queue)])),
    VAULT_KEY_ID: names.vaultKey,
    FILES_BUCKET: names.filesBucket(Aws.ACCOUNT_ID, Aws.REGION),
    LIVE_ACQUIRER: stage.liveAcquirer,
  }
}
