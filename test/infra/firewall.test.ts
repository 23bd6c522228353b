import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { ApiStack } from '#infra/api-stack.ts'
import { managed_groups, refused_labels } from '#infra/firewall-groups.ts'
import { stageOf } from '#test/support/stages.ts'

const templateOf = (stage: string) => Template.fromStack(new ApiStack(new App(), 'Api', { stage: stageOf(stage) }))
const template = templateOf('prod')
const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'))

interface Rule {
  readonly Name: string
  readonly Priority: number
  readonly Action?: object
  readonly OverrideAction?: object
  // biome-ignore lint/suspicious/noExplicitAny: statements have every shape
  readonly Statement: any
}
const rules: Rule[] = acl!.Properties.Rules
const rule = (name: string) => rules.find(({ Name }) => Name === name)!

describe('the firewall', () => {
  test('stands before the stage of the API, where the stage has one', () => {
    const [api] = Object.keys(template.findResources('AWS::ApiGateway::RestApi'))
    const [stage] = Object.keys(template.findResources('AWS::ApiGateway::Stage'))
    const [association] = Object.values(template.findResources('AWS::WAFv2::WebACLAssociation'))
    const arn = JSON.stringify(association!.Properties.ResourceArn)
    expect(arn).toContain(`"Ref":"${api}"`)
    expect(arn).toContain(`"Ref":"${stage}"`)
    expect(acl!.Properties).toMatchObject({ Scope: 'REGIONAL', DefaultAction: { Allow: {} } })
    templateOf('dev').resourceCountIs('AWS::WAFv2::WebACL', 0)
    templateOf('staging').resourceCountIs('AWS::WAFv2::WebACL', 1)
  })

  test('asks its rules in the order in which they are written', () => {
    expect(rules.map(({ Name, Priority }) => [Priority, Name])).toEqual([
      [0, 'live-keys'],
      [1, 'test-keys'],
      [2, 'addresses'],
      [3, 'AWSManagedRulesAmazonIpReputationList'],
      [4, 'AWSManagedRulesCommonRuleSet'],
      [5, 'AWSManagedRulesKnownBadInputsRuleSet'],
      [6, 'refused'],
    ])
  })
})

describe('who is too fast', () => {
  test.each([
    ['live-keys', 6000, 'CUSTOM_KEYS'],
    ['test-keys', 1500, 'CUSTOM_KEYS'],
    ['addresses', 12_000, 'IP'],
  ])('by %s has %i requests a minute, and no answer of the rule', (name, limit, by) => {
    expect(rule(name).Action).toEqual({ Block: {} })
    expect(rule(name).Statement.RateBasedStatement).toMatchObject({
      Limit: limit,
      EvaluationWindowSec: 60,
      AggregateKeyType: by,
    })
  })

  test.each(['live-keys', 'test-keys'])('by %s is counted by what the header holds', (name) => {
    expect(rule(name).Statement.RateBasedStatement.CustomKeys).toEqual([
      { Header: { Name: 'authorization', TextTransformations: [{ Priority: 0, Type: 'COMPRESS_WHITE_SPACE' }] } },
    ])
  })

  const key = (kind: string, mode: string) => `${kind}_${mode}_0123456789abcdefghijklmnopqrstuv`
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  test.each([
    ['a live secret key', basic(`${key('sk', 'live')}:`), 'live-keys'],
    ['a live publishable key without its colon', basic(key('pk', 'live')), 'live-keys'],
    ['a live key that acts for another', basic(`${key('sk', 'live')}:mer_1`), 'live-keys'],
    ['a test secret key', basic(`${key('sk', 'test')}:`), 'test-keys'],
    ['a test publishable key', basic(`${key('pk', 'test')}:`), 'test-keys'],
    ['a scheme in another case', basic(`${key('sk', 'test')}:`).replace('Basic ', 'BASIC   '), 'test-keys'],
    ['no key', basic('somebody:else'), undefined],
    ['a token', 'Bearer c2tfbGl2ZV8', undefined],
  ])('with %s is counted where that belongs', (_, header, expected) => {
    const counting = ['live-keys', 'test-keys'].filter((name) => {
      const { Statements } = rule(name).Statement.RateBasedStatement.ScopeDownStatement.OrStatement
      return Statements.some(({ ByteMatchStatement: match }: Rule['Statement']) => {
        expect(match).toMatchObject({
          FieldToMatch: { SingleHeader: { Name: 'authorization' } },
          PositionalConstraint: 'STARTS_WITH',
          TextTransformations: [{ Type: 'COMPRESS_WHITE_SPACE' }, { Type: 'LOWERCASE' }],
        })
        return header.replace(/\s+/g, ' ').toLowerCase().startsWith(match.SearchString)
      })
    })
    expect(counting).toEqual(expected ? [expected] : [])
  })
})

describe('what AWS finds', () => {
  test.each(managed_groups.map(({ name }) => name))('by %s is counted by each rule, and blocks nothing', (name) => {
    const { OverrideAction, Statement } = rule(name)
    expect(OverrideAction).toEqual({ Count: {} })
    const { VendorName, RuleActionOverrides } = Statement.ManagedRuleGroupStatement
    expect(VendorName).toBe('AWS')
    for (const { ActionToUse } of RuleActionOverrides) expect(ActionToUse).toEqual({ Count: {} })
    const counted = RuleActionOverrides.map(({ Name }: Rule) => Name)
    expect(new Set(counted).size).toBe(counted.length)
  })

  test('is refused in the envelope of our errors when its label is chosen', () => {
    const { Action, Statement } = rule('refused')
    expect(Action).toEqual({ Block: { CustomResponse: { ResponseCode: 403, CustomResponseBodyKey: 'refused' } } })
    const { ContentType, Content } = acl!.Properties.CustomResponseBodies.refused
    expect(ContentType).toBe('APPLICATION_JSON')
    expect(JSON.parse(Content)).toEqual({
      error: { code: 'forbidden', message: 'This request was refused.', param: null, details: null, request_id: null },
    })
    const keys = Statement.OrStatement.Statements.map(
      ({ LabelMatchStatement }: Rule['Statement']) => LabelMatchStatement,
    )
    expect(keys).toEqual(refused_labels.map((label) => ({ Scope: 'LABEL', Key: `awswaf:managed:aws:${label}` })))
  })

  test('is a rule that is counted, for every label that is chosen', () => {
    const counted = managed_groups.flatMap(({ rules }) => rules.map((name) => name.toLowerCase()))
    for (const label of refused_labels) expect(counted).toContain(label.split(':')[1]!.toLowerCase())
  })

  test.each(['Body', 'NoUserAgent', 'GenericRFI', 'EC2MetaDataSSRF', 'QueryArguments', 'Size', 'Hosting'])(
    'as %s refuses nobody, since honest clients send such things',
    (found) => {
      expect(refused_labels.filter((label) => label.includes(found))).toEqual([])
    },
  )
})

describe('the log of the firewall', () => {
  test('tells of what was blocked alone, and of nothing by which a request could be made again', () => {
    template.hasResourceProperties('AWS::WAFv2::LoggingConfiguration', {
      RedactedFields: [
        { UriPath: {} },
        { QueryString: {} },
        ...['authorization', 'cookie', 'idempotency-key'].map((Name) => ({ SingleHeader: { Name } })),
      ],
      LoggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [{ Behavior: 'KEEP', Conditions: [{ ActionCondition: { Action: 'BLOCK' } }] }],
      },
    })
  })

  test('is encrypted with our key, kept for as long as others, and keeps no samples', () => {
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 365 })
    for (const { Properties } of Object.values(template.findResources('AWS::Logs::LogGroup')))
      expect(template.toJSON().Parameters[Properties.KmsKeyId.Ref].Default).toBe('/payment-service/prod/data-key-arn')
    const samples = [acl!.Properties, ...acl!.Properties.Rules].map(
      (one) => one.VisibilityConfig.SampledRequestsEnabled,
    )
    expect(new Set(samples)).toEqual(new Set([false]))
  })
})
