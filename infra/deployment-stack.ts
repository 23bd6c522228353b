import { Aws, CfnOutput, DefaultStackSynthesizer, Stack } from 'aws-cdk-lib'
import { OidcProviderNative, PolicyDocument, PolicyStatement, Role, WebIdentityPrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { namesOf, SERVICE } from './names.ts'
import { stageNames, stageOf } from './stage.ts'

/** From where an account is deployed to, and which stages are in it. */
export interface Deployment {
  /** The repository on GitHub, as the subjects of its tokens spell it: `owner/name`, with ids in it where they have them. */
  readonly repository: string
  readonly stages: readonly string[]
}

/** What `-c repository=owner/name` asks for, of all stages unless `-c stages=dev,staging` names some; undefined without. */
export function deploymentOf(contextOf: (name: string) => string | undefined): Deployment | undefined {
  const repository = contextOf('repository')
  if (repository === undefined) return undefined
  // A star would let in whoever has a name that fits.
  if (!/^[\w.@-]+\/[\w.@-]+$/.test(repository)) throw new Error(`"${repository}" is no repository: owner/name.`)
  const stages = contextOf('stages')?.split(',') ?? stageNames
  return { repository, stages: stages.map((name) => stageOf(name).name) }
}

const ISSUER = 'token.actions.githubusercontent.com'

/** Whom AWS takes a token of GitHub's to be meant for. */
const AUDIENCE = 'sts.amazonaws.com'

/** A role for jobs on GitHub. */
interface JobRole {
  readonly name: string
  readonly description: string
  /** Which jobs of the repository get it. */
  readonly jobs: readonly string[]
  /** The roles of `cdk bootstrap` that it may take. */
  readonly takes: readonly string[]
}

/**
 * The roles that workflows on GitHub take without any stored key, once in an account: for each stage one that deploys it,
 * which only jobs of the environment of that name get, and one for all that reads what a change would change.
 */
export class DeploymentStack extends Stack {
  constructor(scope: Construct, id: string, { repository, stages }: Deployment) {
    super(scope, id, { stackName: `${SERVICE}-deployment` })
    const { oidcProviderArn } = new OidcProviderNative(this, 'GitHub', {
      url: `https://${ISSUER}`,
      clientIds: [AUDIENCE],
    })
    const trusting = (jobs: readonly string[]) =>
      new WebIdentityPrincipal(oidcProviderArn, {
        StringEquals: {
          [`${ISSUER}:aud`]: AUDIENCE,
          [`${ISSUER}:sub`]: jobs.map((job) => `repo:${repository}:${job}`),
        },
      })
    for (const [id, { name: roleName, description, jobs, takes }] of Object.entries(rolesFor(stages))) {
      const inlinePolicies = { own: new PolicyDocument({ statements: [taking(takes)] }) }
      const { roleArn } = new Role(this, id, { roleName, description, assumedBy: trusting(jobs), inlinePolicies })
      new CfnOutput(this, `${id}Role`, { value: roleArn, description })
    }
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
      takes: ['deploy-role', 'file-publishing-role', 'lookup-role'],
    },
  ])
  const Comparer = {
    name: `${SERVICE}-comparer`,
    description: 'Reads what a change would change.',
    jobs: ['pull_request', 'ref:refs/heads/main'],
    takes: ['lookup-role'],
  }
  return { ...Object.fromEntries(deployers), Comparer }
}

/** The roles that `cdk bootstrap` has made in this region. */
function taking(roles: readonly string[]): PolicyStatement {
  const prefix = `arn:${Aws.PARTITION}:iam::${Aws.ACCOUNT_ID}:role/cdk-${DefaultStackSynthesizer.DEFAULT_QUALIFIER}`
  return new PolicyStatement({
    actions: ['sts:AssumeRole'],
    resources: roles.map((role) => `${prefix}-${role}-${Aws.ACCOUNT_ID}-${Aws.REGION}`),
  })
}
