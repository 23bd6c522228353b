import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { listed_labels, managed_groups, suspicious_labels } from '#infra/constructs/firewall-groups.ts'
import { blocking_rules, marking_rules } from '#infra/constructs/firewall-rules.ts'
import { ApiStack } from '#infra/stacks/api-stack.ts'
import { stageNames } from '#infra/stage.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { servedDocuments, servedPages } from '#shared/routes.ts'
import { countsOf, type FirewallRule, insertedHeaders } from '#test/fixtures/firewall-model.ts'
import { stageOf } from '#test/fixtures/stages.ts'

const templateOf = (stage: string) => Template.fromStack(new ApiStack(new App(), 'Api', { stage: stageOf(stage) }))
const template = templateOf('prod')
const [acl] = Object.values(template.findResources('AWS::WAFv2::WebACL'))

const rules: FirewallRule[] = acl!.Properties.Rules
const rule = (name: string) => rules.find(({ Name }) => Name === name)!

describe('the firewall', () => {
  test('protects the API of prod and staging, and dev has no firewall', () => {
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

  test('evaluates rate rules first, then managed groups, then marking rules', () => {
    expect(rules.map(({ Name, Priority }) => [Priority, Name])).toEqual([
      [0, 'live-keys'],
      [1, 'test-keys'],
      [2, 'page-addresses'],
      [3, 'addresses'],
      [4, 'AWSManagedRulesAmazonIpReputationList'],
      [5, 'AWSManagedRulesCommonRuleSet'],
      [6, 'AWSManagedRulesKnownBadInputsRuleSet'],
      [7, 'suspicious-requests'],
      [8, 'oversize-headers'],
      [9, 'listed-addresses'],
    ])
  })

  const guarded = stageNames.filter((name) => stageOf(name).firewall)
  test.each(guarded)('blocks only by rate rules in %s, and every other rule counts', (name) => {
    const [found] = Object.values(templateOf(name).findResources('AWS::WAFv2::WebACL'))
    const all: FirewallRule[] = found!.Properties.Rules
    const rate = all.filter(({ Statement }) => Statement.RateBasedStatement)
    expect(rate.map(({ Name }) => Name)).toEqual([...blocking_rules])
    for (const { Action } of rate) expect(Object.keys(Action)).toEqual(['Block'])
    for (const { Action, OverrideAction } of all.filter((one) => !rate.includes(one)))
      expect(Object.keys({ ...Action, ...OverrideAction })).toEqual(['Count'])
    // The overrides inside managed groups contain no other action either.
    expect(JSON.stringify(all.filter((one) => !rate.includes(one)))).not.toMatch(/"(Block|Captcha|Challenge|Allow)"/)
  })
})

describe('the rate rules', () => {
  test.each([
    ['live-keys', 6000, 'CUSTOM_KEYS'],
    ['test-keys', 1500, 'CUSTOM_KEYS'],
    ['page-addresses', 12_000, 'IP'],
    ['addresses', 12_000, 'IP'],
  ])('%s allows %i requests per minute by %s, and only page-addresses has its own response', (name, limit, by) => {
    if (name !== 'page-addresses') expect(rule(name).Action).toEqual({ Block: {} })
    expect(rule(name).Statement.RateBasedStatement).toMatchObject({
      Limit: limit,
      EvaluationWindowSec: 60,
      AggregateKeyType: by,
    })
  })

  test.each(['live-keys', 'test-keys'])(
    '%s counts by the Authorization header, regardless of case and spaces',
    (name) => {
      expect(rule(name).Statement.RateBasedStatement.CustomKeys).toEqual([
        {
          Header: {
            Name: 'authorization',
            TextTransformations: [
              { Priority: 0, Type: 'COMPRESS_WHITE_SPACE' },
              { Priority: 1, Type: 'LOWERCASE' },
            ],
          },
        },
      ])
    },
  )

  const key = (kind: string, mode: string) => `${kind}_${mode}_0123456789abcdefghijklmnopqrstuv`
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
  test.each([
    ['a live secret key', basic(`${key('sk', 'live')}:`), 'live-keys'],
    ['a live publishable key without its colon', basic(key('pk', 'live')), 'live-keys'],
    ['a live key that acts for a sub-merchant', basic(`${key('sk', 'live')}:mer_1`), 'live-keys'],
    ['a test secret key', basic(`${key('sk', 'test')}:`), 'test-keys'],
    ['a test publishable key', basic(`${key('pk', 'test')}:`), 'test-keys'],
    ['a scheme in another case', basic(`${key('sk', 'test')}:`).replace('Basic ', 'BASIC   '), 'test-keys'],
    ['no key', basic('somebody:else'), undefined],
    ['a token', 'Bearer c2tfbGl2ZV8', undefined],
  ])('count a request with %s by the matching rule of keys, if any, and by address', (_, header, expected) => {
    const request = { path: '/prod/api/v1/payments', headers: [['authorization', header]] as const }
    const counting = countsOf(rules, request).map((count) => count.rule)
    expect(counting).toEqual(expected ? [expected, 'addresses'] : ['addresses'])
  })

  test.each([
    ...servedPages().map(({ path }) => [`/prod${path}`, 'page-addresses']),
    ...servedPages().map(({ path }) => [path, 'page-addresses']),
    ['/prod/pages', 'page-addresses'],
    ['/prod/pages/', 'page-addresses'],
    ['/prod/api/v1/payments', 'addresses'],
    ['/api/v1/payments/pages/refund', 'addresses'],
    ['/prod/pagesx', 'addresses'],
    ['/prod/payment_methods/konbini.svg', 'addresses'],
    ['/dev/pages/', 'addresses'],
    ...servedDocuments().map(({ path }) => [`/prod${path}`, 'addresses']),
    ...servedDocuments().map(({ path }) => [path, 'addresses']),
  ])('count a request to %s once by address, with the rule %s', (path, expected) => {
    expect(countsOf(rules, { path: path!, headers: [] }).map((count) => count.rule)).toEqual([expected])
  })

  test('answer a blocked page request with a page that has the text of every language', () => {
    const { CustomResponse } = rule('page-addresses').Action.Block
    expect(CustomResponse).toMatchObject({
      ResponseCode: 429,
      ResponseHeaders: [
        { Name: 'Retry-After', Value: '30' },
        { Name: 'Cache-Control', Value: 'no-store' },
      ],
    })
    const { ContentType, Content } = acl!.Properties.CustomResponseBodies[CustomResponse.CustomResponseBodyKey]
    expect(ContentType).toBe('TEXT_HTML')
    expect(Buffer.byteLength(Content)).toBeLessThan(4096)
    expect(Content).toMatch(/^\p{ASCII}+$/u)
    const shown = Content.replace(/&#(\d+);/g, (_: string, code: string) => String.fromCodePoint(Number(code)))
    for (const [locale, { problems }] of Object.entries(texts))
      expect(shown).toContain(
        `<section lang="${locale}"><h1>${problems.unavailable.title}</h1><p>${problems.unavailable.text}</p></section>`,
      )
  })
})

describe('the managed rule groups', () => {
  test.each(managed_groups.map(({ name }) => name))('%s counts by each rule and blocks nothing', (name) => {
    const { OverrideAction, Statement } = rule(name)
    expect(OverrideAction).toEqual({ Count: {} })
    const { VendorName, RuleActionOverrides } = Statement.ManagedRuleGroupStatement
    expect(VendorName).toBe('AWS')
    for (const { ActionToUse } of RuleActionOverrides) expect(ActionToUse).toEqual({ Count: {} })
    const counted = RuleActionOverrides.map(({ Name }: FirewallRule) => Name)
    expect(new Set(counted).size).toBe(counted.length)
  })

  const chosen = [...suspicious_labels, ...listed_labels]

  test('contain a counted rule for every chosen label', () => {
    const counted = managed_groups.flatMap(({ rules }) => rules.map((name) => name.toLowerCase()))
    for (const label of chosen) expect(counted).toContain(label.split(':').at(-1)!.toLowerCase())
  })

  const marksOf = (labels: readonly string[]) => insertedHeaders(rules, { path: '/', headers: [], labels })

  test.each(suspicious_labels)('mark the request for the label %s', (label) => {
    expect(marksOf([label])).toEqual({ 'x-amzn-waf-request': 'suspicious' })
  })

  test.each(listed_labels)('mark the address for the label %s', (label) => {
    expect(marksOf([label])).toEqual({ 'x-amzn-waf-address': 'listed' })
  })

  test('mark both if both are found, and nothing without a chosen label', () => {
    expect(marksOf(chosen)).toEqual({ 'x-amzn-waf-request': 'suspicious', 'x-amzn-waf-address': 'listed' })
    expect(marksOf(['awswaf:managed:aws:core-rule-set:NoUserAgent_Header'])).toEqual({})
    expect(marksOf([])).toEqual({})
  })

  test.each(['Body', 'NoUserAgent', 'GenericRFI', 'EC2MetaDataSSRF', 'QueryArguments', 'Size', 'Hosting', 'ip-list'])(
    'do not mark a request as suspicious for %s, which honest clients match',
    (found) => {
      expect(suspicious_labels.filter((label) => label.includes(found))).toEqual([])
    },
  )
})

describe('the marking rules', () => {
  const marked = (headers: [string, string][]) => insertedHeaders(rules, { path: '/', headers })
  const oversize = { 'x-amzn-waf-headers': 'oversize' }

  test('mark a request whose headers exceed what the firewall inspects', () => {
    expect(marked([['a', 'x'.repeat(8191)]])).toEqual({})
    expect(marked([['a', 'x'.repeat(8192)]])).toEqual(oversize)
    const many = (count: number) => Array.from({ length: count }, (): [string, string] => ['a', ''])
    expect(marked(many(200))).toEqual({})
    expect(marked(many(201))).toEqual(oversize)
  })

  test('insert headers with different names, so that each mark is kept', () => {
    const inserted = marking_rules.map((name) => rule(name).Action.Count.CustomRequestHandling.InsertHeaders)
    expect(inserted.map(({ length }) => length)).toEqual([1, 1, 1])
    expect(new Set(inserted.flat().map(({ Name }) => Name)).size).toBe(3)
  })
})

describe('the log of the firewall', () => {
  test('records blocked and suspicious requests, and redacts paths, queries and secret headers', () => {
    template.hasResourceProperties('AWS::WAFv2::LoggingConfiguration', {
      RedactedFields: [
        { UriPath: {} },
        { QueryString: {} },
        ...['authorization', 'cookie', 'idempotency-key'].map((Name) => ({ SingleHeader: { Name } })),
      ],
      LoggingFilter: {
        DefaultBehavior: 'DROP',
        Filters: [
          {
            Behavior: 'KEEP',
            Requirement: 'MEETS_ANY',
            Conditions: [
              { ActionCondition: { Action: 'BLOCK' } },
              ...suspicious_labels.map((LabelName) => ({ LabelNameCondition: { LabelName } })),
            ],
          },
        ],
      },
    })
  })

  test('is encrypted with our key and retained for 365 days, and no requests are sampled', () => {
    template.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: 365 })
    for (const { Properties } of Object.values(template.findResources('AWS::Logs::LogGroup')))
      expect(template.toJSON().Parameters[Properties.KmsKeyId.Ref].Default).toBe('/payment-service/prod/data-key-arn')
    const samples = [acl!.Properties, ...acl!.Properties.Rules].map(
      (one) => one.VisibilityConfig.SampledRequestsEnabled,
    )
    expect(new Set(samples)).toEqual(new Set([false]))
  })
})
