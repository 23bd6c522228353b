import { Aws, CfnOutput, DefaultStackSynthesizer, Stack } from 'aws-cdk-lib'
import { OidcProviderNative, PolicyDocument, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import type { GivenName } from './given.ts'
import { namesOf, SERVICE } from './names.ts'
import { arnOf } from './permissions.ts'
import { accept } from './review.ts'
import { isProtected, knownStage, stageNames } from './stage.ts'

/** From where an account is deployed to, and which stages are in it. */
export interface Deployment {
  /** The repository on GitHub, as the subjects of its tokens spell it: `owner/name`, with ids in it where they have them. */
  readonly repository: string
  readonly stages: readonly string[]
  /** The provider of GitHub's tokens that the account has already; without one the stack makes it. */
  readonly oidc_provider_arn?: string
}

const ISSUER = 'token.actions.githubusercontent.com'

/** Whom AWS takes a token of GitHub's to be meant for. */
const AUDIENCE = 'sts.amazonaws.com'

const PROVIDER = /^arn:aws[\w-]*:iam::\d{12}:oidc-provider\/token\.actions\.githubusercontent\.com$/

/**
 * What `-c repository=owner/name` asks for, of all stages unless `-c stages=dev,staging` names some, and with the account's
 * own provider of GitHub's tokens where `-c oidc_provider_arn=…` names it; undefined without a repository.
 */
export function deploymentOf(given: (name: GivenName) => string | undefined): Deployment | undefined {
  const repository = given('repository')
  if (repository === undefined) return undefined
  // A star would let in whoever has a name that fits.
  if (!/^[\w.@-]+\/[\w.@-]+$/.test(repository)) throw new Error(`"${repository}" is no repository: owner/name.`)
  const stages = given('stages')?.split(',') ?? stageNames
  const oidc_provider_arn = given('oidc_provider_arn')
  if (oidc_provider_arn !== undefined && !PROVIDER.test(oidc_provider_arn))
    throw new Error(`oidc_provider_arn must be the ARN of the account's provider ${ISSUER}: "${oidc_provider_arn}".`)
  return {
    repository,
    stages: stages.map(knownStage),
    ...(oidc_provider_arn && { oidc_provider_arn }),
  }
}

/** A role for jobs on GitHub. */
interface JobRole {
  readonly name: string
  readonly description: string
  /** Which jobs of the repository get it. */
  readonly jobs: readonly string[]
  readonly may: PolicyStatement
}

/**
 * The roles that workflows on GitHub take without any stored key, once in an account: for each stage one that deploys it,
 * which only jobs of the environment of that name get, and one for all that reads their templates, to tell what a change
 * would change. Whoever may push a branch has that one, and so it reads nothing else of the account.
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
    const findings = stages.map(
      (stage) =>
        `AwsSolutions-IAM5[Resource::arn:<AWS::Partition>:cloudformation:<AWS::Region>:<AWS::AccountId>:${stacksOf(stage)}]`,
    )
    for (const [id, { name: roleName, description, jobs, may }] of Object.entries(rolesFor(stages))) {
      const inlinePolicies = { own: new PolicyDocument({ statements: [may] }) }
      const role = new Role(this, id, { roleName, description, assumedBy: trusting(jobs), inlinePolicies })
      new CfnOutput(this, `${id}Role`, { value: role.roleArn, description })
      accept(role, findings, 'The stacks of a stage begin with its name, and the ARN of each ends in an id of its own.')
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
      // What CloudFormation then does, it does with a role of its own.
      may: take(['deploy-role', 'file-publishing-role', 'lookup-role']),
    },
  ])
  const Comparer = {
    name: `${SERVICE}-comparer`,
    description: 'Reads the templates of the stages and nothing else, for whoever may push a branch.',
    jobs: ['pull_request', 'ref:refs/heads/main'],
    may: readStacksOf(stages),
  }
  return { ...Object.fromEntries(deployers), Comparer }
}

/** To take these of the roles that `cdk bootstrap` has made in this region. */
function take(roles: readonly string[]): PolicyStatement {
  const prefix = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}`
  return new PolicyStatement({
    actions: ['sts:AssumeRole'],
    resources: roles.map((role) => `${prefix}-${role}-${Aws.ACCOUNT_ID}-${Aws.REGION}`),
  })
}

const stacksOf = (stage: string): string => `stack/${namesOf(stage).stack('*')}/*`

/** All that `cdk diff --method template` asks for; it goes on with this where it may not take the bootstrap's roles. */
function readStacksOf(stages: readonly string[]): PolicyStatement {
  return new PolicyStatement({
    actions: ['cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
    resources: stages.map((stage) => arnOf('cloudformation', stacksOf(stage))),
  })
}
