import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { DeploymentStack, deploymentOf } from '#infra/stacks/deployment-stack.ts'

const deploymentFor = (context: Record<string, string>) => deploymentOf((name) => context[name])
const templateOf = (context: Record<string, string>) =>
  Template.fromStack(
    new DeploymentStack(
      new App(),
      'Deployment',
      deploymentFor({ stages: 'dev,staging,prod', oidc_provider_arn: 'none', ...context })!,
    ),
  )
const template = templateOf({ repository: 'shop/payments' })

/** The roles of a template by name: the subjects of tokens that can assume them, and the resources of their actions. */
const rolesOf = (template: Template) =>
  Object.fromEntries(
    Object.values(template.findResources('AWS::IAM::Role')).map(({ Properties }) => {
      const [trust, ...otherTrust] = Properties.AssumeRolePolicyDocument.Statement
      const [policy, ...otherPolicies] = Properties.Policies
      const statements = policy.PolicyDocument.Statement as Statement[]
      expect([otherTrust, otherPolicies, Properties.ManagedPolicyArns ?? []]).toEqual([[], [], []])
      expect(trust).toMatchObject({ Effect: 'Allow', Action: 'sts:AssumeRoleWithWebIdentity' })
      for (const { Effect } of statements) expect(Effect).toBe('Allow')
      expect(Object.keys(trust.Condition)).toEqual(['StringEquals'])
      const { 'token.actions.githubusercontent.com:aud': audience, ...subject } = trust.Condition.StringEquals
      expect(audience).toBe('sts.amazonaws.com')
      const may = Object.fromEntries(
        statements.map(({ Action, Resource }) => [[Action].flat().join(), [Resource].flat().map(textOf)]),
      )
      return [Properties.RoleName, { subject, may }]
    }),
  )

interface Statement {
  readonly Effect: string
  readonly Action: string | string[]
  readonly Resource: Arn | Arn[]
}
type Arn = '*' | { 'Fn::Join': [string, (string | { Ref: string })[]] }

const textOf = (arn: Arn) =>
  arn === '*'
    ? arn
    : arn['Fn::Join'][1]
        .map((part) => (typeof part === 'string' ? part : `<${part.Ref.replace('AWS::', '')}>`))
        .join('')

const bootstrapped = (role: string) =>
  `arn:<Partition>:iam::<AccountId>:role/cdk-hnb659fds-${role}-role-<AccountId>-<Region>`

const subject = (...subjects: string[]) => ({ 'token.actions.githubusercontent.com:sub': subjects })

describe('DeploymentStack', () => {
  test('contains only roles and the OIDC provider of GitHub, and no access key', () => {
    template.hasResourceProperties('AWS::IAM::OIDCProvider', {
      Url: 'https://token.actions.githubusercontent.com',
      ClientIdList: ['sts.amazonaws.com'],
    })
    expect(new Set(Object.values(template.toJSON().Resources).map((one) => (one as { Type: string }).Type))).toEqual(
      new Set(['AWS::IAM::OIDCProvider', 'AWS::IAM::Role']),
    )
  })

  test('lets only jobs of the environment of a stage deploy the stage, through the bootstrap roles', () => {
    const may = { 'sts:AssumeRole': ['deploy', 'file-publishing', 'lookup'].map(bootstrapped) }
    const rest = 'arn:<Partition>:apigateway:<Region>::/restapis'
    const own = (service: string, what: string) => `arn:<Partition>:${service}:<Region>:<AccountId>:${what}`
    const shifts = {
      'apigateway:GET': [rest, `${rest}/*/stages/prod`],
      'apigateway:PATCH': [`${rest}/*/stages/prod`],
      'apigateway:POST': [`${rest}/*/deployments`],
      'events:DescribeRule,events:EnableRule,events:DisableRule': ['', '-b'].map((slot) =>
        own('events', `rule/payment-service-prod-every-minute${slot}`),
      ),
      'lambda:UpdateEventSourceMapping': [own('lambda', 'event-source-mapping:*')],
      'lambda:ListEventSourceMappings,cloudwatch:DescribeAlarms': ['*'],
    }
    const { 'payment-service-comparer': _, ...deployers } = rolesOf(template)
    expect(deployers).toEqual(
      Object.fromEntries(
        ['dev', 'staging', 'prod'].map((stage) => [
          `payment-service-${stage}-deployer`,
          {
            subject: subject(`repo:shop/payments:environment:${stage}`),
            may: stage === 'prod' ? { ...may, ...shifts } : may,
          },
        ]),
      ),
    )
  })

  test('lets pull requests and the main branch read the templates of the stages and nothing else', () => {
    expect(rolesOf(template)['payment-service-comparer']).toEqual({
      subject: subject('repo:shop/payments:pull_request', 'repo:shop/payments:ref:refs/heads/main'),
      may: {
        'cloudformation:DescribeStacks,cloudformation:GetTemplate': ['dev', 'staging', 'prod'].map(
          (stage) => `arn:<Partition>:cloudformation:<Region>:<AccountId>:stack/payment-service-${stage}-*/*`,
        ),
      },
    })
  })

  test('trusts an existing OIDC provider of the account if its ARN is given, and creates none', () => {
    const oidc_provider_arn = 'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com'
    const beside = templateOf({ repository: 'shop/payments', oidc_provider_arn })
    beside.resourceCountIs('AWS::IAM::OIDCProvider', 0)
    beside.resourceCountIs('AWS::IAM::Role', 4)
    beside.allResourcesProperties('AWS::IAM::Role', {
      AssumeRolePolicyDocument: { Statement: [Match.objectLike({ Principal: { Federated: oidc_provider_arn } })] },
    })
  })

  test('has an output for each role', () => {
    expect(Object.keys(template.findOutputs('*')).sort()).toEqual([
      'ComparerRole',
      'DevDeployerRole',
      'ProdDeployerRole',
      'StagingDeployerRole',
    ])
  })

  test('has only the roles of the given stages', () => {
    const prod = templateOf({ repository: 'shop@12/payments@34', stages: 'prod' })
    expect(Object.keys(rolesOf(prod)).sort()).toEqual(['payment-service-comparer', 'payment-service-prod-deployer'])
    expect(rolesOf(prod)['payment-service-prod-deployer']!.subject).toEqual(
      subject('repo:shop@12/payments@34:environment:prod'),
    )
  })
})

describe('deploymentOf', () => {
  test('returns undefined without a repository', () => {
    expect(deploymentFor({ stage: 'dev', stages: 'dev' })).toBeUndefined()
  })

  test.each(['shop', 'shop/*', '*/payments', 'shop/payments:environment:dev', 'https://github.com/shop/payments', ''])(
    'refuses the repository "%s"',
    (repository) => {
      expect(() => deploymentFor({ repository })).toThrow('is not the name of a repository. Write owner/name.')
    },
  )

  test.each([
    'arn:aws:iam::111122223333:oidc-provider/token.actions.githubusercontent.com.shop.example',
    'arn:aws:iam::111122223333:oidc-provider/gitlab.com',
    'arn:aws:iam::111122223333:role/token.actions.githubusercontent.com',
    'token.actions.githubusercontent.com',
    '',
  ])('refuses the OIDC provider "%s"', (oidc_provider_arn) => {
    expect(() => deploymentFor({ repository: 'shop/payments', stages: 'dev', oidc_provider_arn })).toThrow(
      'oidc_provider_arn must be the ARN',
    )
  })

  test.each(['stages', 'oidc_provider_arn'])('refuses a deployment without -c %s', (name) => {
    const { [name]: _, ...rest } = {
      repository: 'shop/payments',
      stages: 'dev,prod',
      oidc_provider_arn: 'none',
    } as Record<string, string>
    expect(() => deploymentFor(rest)).toThrow(`-c ${name}=… is missing`)
  })

  test('returns the repository and the stages, and no provider for "none"', () => {
    expect(deploymentFor({ repository: 'shop/payments', stages: 'dev,prod', oidc_provider_arn: 'none' })).toEqual({
      repository: 'shop/payments',
      stages: ['dev', 'prod'],
    })
  })

  test('refuses an unknown stage', () => {
    expect(() =>
      deploymentFor({ repository: 'shop/payments', stages: 'dev,production', oidc_provider_arn: 'none' }),
    ).toThrow('There is no stage "production"')
  })
})
