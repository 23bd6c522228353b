import { Aws, CfnOutput, DefaultStackSynthesizer, Duration, Stack } from 'aws-cdk-lib'
import { OidcProviderNative, PolicyDocument, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { arnOf } from '#infra/access/access-policies.ts'
import type { GivenName } from '#infra/cdk-context.ts'
import { accept } from '#infra/constructs/nag-review.ts'
import { namesInSlot, namesOf, SERVICE, SLOTS } from '#infra/names.ts'
import { hasSlots, isProtected, knownStage, stageNames } from '#infra/stage.ts'

/** The GitHub repository that deploys to an account, and the stages of the account. */
export interface Deployment {
  /**
   * The repository as the subjects of its GitHub tokens spell it: `owner/name`. The subjects of newer repositories also
   * contain ids.
   */
  readonly repository: string
  readonly stages: readonly string[]
  /** The account's identity provider for GitHub's tokens. Without an ARN, the stack creates the provider. */
  readonly oidc_provider_arn?: string
}

const ISSUER = 'token.actions.githubusercontent.com'

/** The audience that a GitHub token must have for AWS. */
const AUDIENCE = 'sts.amazonaws.com'

const PROVIDER = /^arn:aws[\w-]*:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/

/**
 * `deploymentOf` reads a deployment from the context. `-c repository=owner/name` requests the deployment stack. `-c
 * stages=…` and `-c oidc_provider_arn=…` (or `none`) must be given as well, because a value that is left out would
 * delete roles. Returns undefined without a repository. Throws for a malformed repository or ARN, and for an unknown
 * stage.
 */
export function deploymentOf(given: (name: GivenName) => string | undefined): Deployment | undefined {
  const repository = given('repository')
  if (repository === undefined) return undefined
  // The trust policy compares subjects literally, so a name with a wildcard would match no repository.
  if (!/^[\w.@-]+\/[\w.@-]+$/.test(repository))
    throw new Error(`"${repository}" is not the name of a repository. Write owner/name.`)
  const stages = stated(given, 'stages', `the stages of this account, such as ${stageNames.join()}`).split(',')
  const oidc_provider_arn = stated(given, 'oidc_provider_arn', `the account's provider ${ISSUER}, or none to create it`)
  if (oidc_provider_arn !== 'none' && !PROVIDER.test(oidc_provider_arn))
    throw new Error(`oidc_provider_arn must be the ARN of the account's provider ${ISSUER}: "${oidc_provider_arn}".`)
  return {
    repository,
    stages: stages.map(knownStage),
    ...(oidc_provider_arn !== 'none' && { oidc_provider_arn }),
  }
}

/**
 * A value that every deployment of the stack states: a deployment that left it out would delete roles or the provider.
 */
function stated(given: (name: GivenName) => string | undefined, name: GivenName, what: string): string {
  const value = given(name)
  if (value === undefined) throw new Error(`-c ${name}=… is missing: ${what}.`)
  return value
}

/** A role that jobs of GitHub workflows assume. */
interface JobRole {
  readonly name: string
  readonly description: string
  /** The jobs that can assume the role, each as the last part of the subject of its GitHub token. */
  readonly jobs: readonly string[]
  readonly may: readonly PolicyStatement[]
}

/**
 * The roles that GitHub workflows assume without a stored key, once per account. Each stage has a role that deploys it,
 * and only jobs of the environment with the stage's name can assume that role. One further role reads the templates of
 * all stages, so that a workflow can show how a commit would change the templates. Everyone who can push a branch can
 * use the reading role, so the role reads nothing else in the account.
 */
export class DeploymentStack extends Stack {
  constructor(scope: Construct, id: string, { repository, stages, oidc_provider_arn }: Deployment) {
    const terminationProtection = stages.some(isProtected)
    super(scope, id, { stackName: `${SERVICE}-deployment`, terminationProtection })
    const provider = oidc_provider_arn ?? this.#provider()
    const trusting = (jobs: readonly string[]) =>
      new WebIdentityPrincipal(provider, {
        StringEquals: {
          [`${ISSUER}:aud`]: AUDIENCE,
          [`${ISSUER}:sub`]: jobs.map((job) => `repo:${repository}:${job}`),
        },
      })
    const releasing_findings = [
      'AwsSolutions-IAM5[Resource::*]',
      'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::/restapis/*/deployments]',
      'AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:lambda:<AWS::Region>:<AWS::AccountId>:event-source-mapping:*]',
      ...stages.map(
        (stage) =>
          `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:apigateway:<AWS::Region>::/restapis/*/stages/${stage}]`,
      ),
    ]
    const findings = stages.map(
      (stage) =>
        `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:${stacksOf(stage)}]`,
    )
    for (const [id, { name: roleName, description, jobs, may }] of Object.entries(rolesFor(stages))) {
      const inlinePolicies = { own: new PolicyDocument({ statements: [...may] }) }
      // A release bakes for longer than the hour that a session lasts otherwise.
      const maxSessionDuration = Duration.hours(2)
      const role = new Role(this, id, {
        roleName,
        description,
        assumedBy: trusting(jobs),
        inlinePolicies,
        maxSessionDuration,
      })
      new CfnOutput(this, `${id}Role`, { value: role.roleArn, description })
      accept(
        role,
        releasing_findings,
        'The ids of the API and of the event sources are generated, and alarms are read together.',
      )
      accept(role, findings, 'The name of each stack begins with its stage, and its ARN ends in a generated id.')
    }
  }

  #provider(): string {
    return new OidcProviderNative(this, 'GitHub', { url: `https://${ISSUER}`, clientIds: [AUDIENCE] }).oidcProviderArn
  }
}

function rolesFor(stages: readonly string[]): Readonly<Record<string, JobRole>> {
  const deployers = stages.map((stage): [string, JobRole] => [
    `${stage.charAt(0).toUpperCase()}${stage.slice(1)}Deployer`,
    {
      name: namesOf(stage).deployer,
      description: `Deploys the stage ${stage}.`,
      jobs: [`environment:${stage}`],
      // CloudFormation executes the deployment with another role, the execution role of the bootstrap.
      may: [take(['deploy-role', 'file-publishing-role', 'lookup-role']), ...(hasSlots(stage) ? shiftsOf(stage) : [])],
    },
  ])
  const Comparer = {
    name: `${SERVICE}-comparer`,
    description:
      'Reads the templates of the stages and nothing else. Anyone who can push a branch can assume this role.',
    jobs: ['pull_request', 'ref:refs/heads/main'],
    may: [readStacksOf(stages)],
  }
  return { ...Object.fromEntries(deployers), Comparer }
}

/** Allows the assumption of these roles that `cdk bootstrap` created in the region. */
function take(roles: readonly string[]): PolicyStatement {
  const prefix = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}`
  return new PolicyStatement({
    actions: ['sts:AssumeRole'],
    resources: roles.map((role) => `${prefix}-${role}-${Aws.ACCOUNT_ID}-${Aws.REGION}`),
  })
}

/** Allows what `npm run release` does besides a deployment: it reads alarms and moves requests and background work. */
function shiftsOf(stage: string): PolicyStatement[] {
  const api = (path: string) => `arn:${Aws.PARTITION}:apigateway:${Aws.REGION}::/restapis${path}`
  const rules = SLOTS.map((slot) => arnOf('events', `rule/${namesInSlot(stage, slot).everyMinute}`))
  const functions = arnOf('lambda', `function:${namesOf(stage).functions}*`)
  return [
    allow(['apigateway:GET'], [api(''), api(`/*/stages/${stage}`)]),
    allow(['apigateway:PATCH'], [api(`/*/stages/${stage}`)]),
    allow(['apigateway:POST'], [api('/*/deployments')]),
    allow(['events:DescribeRule', 'events:EnableRule', 'events:DisableRule'], rules),
    allow(['lambda:UpdateEventSourceMapping'], [arnOf('lambda', 'event-source-mapping:*')], {
      ArnLike: { 'lambda:FunctionArn': functions },
    }),
    allow(['lambda:ListEventSourceMappings', 'cloudwatch:DescribeAlarms'], ['*']),
  ]
}

const allow = (actions: string[], resources: string[], conditions?: Record<string, unknown>) =>
  new PolicyStatement({ actions, resources, conditions })

const stacksOf = (stage: string): string => `stack/${namesOf(stage).stack('*')}/*`

/** Allows what `cdk diff --method template` needs if it cannot assume the roles of the bootstrap. */
function readStacksOf(stages: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
    resources: stages.map((stage) => arnOf('cloudformation', stacksOf(stage))),
  })
}
