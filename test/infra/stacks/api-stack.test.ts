import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'
import { ApiStack } from '#infra/stacks/api-stack.ts'
import { BASE_PATH, servedPages, servedRoutes } from '#shared/routes.ts'
import { fullStageOf, stageOf } from '#test/fixtures/stages.ts'

const templateOf = (stage: string) => Template.fromStack(new ApiStack(new App(), 'Api', { stage: stageOf(stage) }))
const template = templateOf('dev')
const [api] = Object.values(template.findResources('AWS::ApiGateway::RestApi'))

describe('ApiStack', () => {
  test('creates one regional API from an OpenAPI document', () => {
    template.resourceCountIs('AWS::ApiGateway::RestApi', 1)
    expect(api!.Properties).toMatchObject({
      Name: 'payment-service-dev-api',
      EndpointConfiguration: { Types: ['REGIONAL'] },
      Body: { openapi: '3.0.1' },
    })
  })

  test('treats every media type as binary, in the document and in the property of the API', () => {
    const { BinaryMediaTypes, Body } = api!.Properties
    expect([BinaryMediaTypes, Body['x-amazon-apigateway-binary-media-types']]).toEqual([['*/*'], ['*/*']])
  })

  test.each([...servedRoutes().map((row) => ({ ...row, path: BASE_PATH + row.path })), ...servedPages()])(
    '$route invokes its function with the role of the API',
    ({ method, path, file }) => {
      const item = api!.Properties.Body.paths[path.replace(/:(\w+)/g, '{$1}')]
      const { uri, credentials } = item[method.toLowerCase()]['x-amazon-apigateway-integration']
      const text = uri['Fn::Join'][1]
        .map((part: string | { Ref: string }) => (typeof part === 'string' ? part : part.Ref))
        .join('')
      expect(text).toBe(
        'arn:AWS::Partition:apigateway:AWS::Region:lambda:path/2015-03-31/functions/' +
          `arn:AWS::Partition:lambda:AWS::Region:AWS::AccountId:function:${namesOf('dev').function(file)}/invocations`,
      )
      const role = template.findResources('AWS::IAM::Role')[credentials['Fn::GetAtt'][0]]!.Properties
      expect(role.Policies[0].PolicyDocument.Statement).toEqual([
        {
          Effect: 'Allow',
          Action: 'lambda:InvokeFunction',
          Resource: {
            'Fn::Join': [
              '',
              [
                'arn:',
                { Ref: 'AWS::Partition' },
                ':lambda:',
                { Ref: 'AWS::Region' },
                ':',
                { Ref: 'AWS::AccountId' },
                ':function:payment-service-dev-*',
              ],
            ],
          },
        },
      ])
    },
  )

  test('logs only the listed fields of a request, and never a header, a query or a body', () => {
    const [stage] = Object.values(template.findResources('AWS::ApiGateway::Stage'))
    const variables = [...stage!.Properties.AccessLogSetting.Format.matchAll(/\$context\.([\w.]+)/g)].map(
      ([, name]) => name,
    )
    expect(variables).toEqual([
      'requestId',
      'requestTimeEpoch',
      'identity.sourceIp',
      'httpMethod',
      'resourcePath',
      'status',
      'responseLatency',
      'integrationLatency',
      'responseLength',
      'error.responseType',
    ])
    expect(stage!.Properties.MethodSettings).toEqual([expect.not.objectContaining({ DataTraceEnabled: true })])
    expect(stage!.Properties.MethodSettings[0]).not.toHaveProperty('LoggingLevel')
  })

  test('is traced and throttled', () => {
    template.hasResourceProperties('AWS::ApiGateway::Stage', {
      StageName: 'dev',
      TracingEnabled: true,
      MethodSettings: [{ HttpMethod: '*', ResourcePath: '/*', ThrottlingRateLimit: 50, ThrottlingBurstLimit: 100 }],
    })
  })

  test('creates a different deployment for a different document', () => {
    const deployment = (stage: string) => Object.keys(templateOf(stage).findResources('AWS::ApiGateway::Deployment'))
    expect(deployment('dev')).toEqual(deployment('dev'))
    expect(deployment('dev')).not.toEqual(deployment('staging'))
  })

  test('outputs the base URL of the API', () => {
    const [id] = Object.keys(template.findResources('AWS::ApiGateway::RestApi'))
    const [stage] = Object.keys(template.findResources('AWS::ApiGateway::Stage'))
    const parts = template.findOutputs('BaseUrl').BaseUrl!.Value['Fn::Join'][1]
    const text = parts.map((part: string | { Ref: string }) => (typeof part === 'string' ? part : `<${part.Ref}>`))
    expect(text.join('')).toBe(`https://<${id}>.execute-api.<AWS::Region>.<AWS::URLSuffix>/<${stage}>/api/v1`)
  })

  test('has a custom domain if the stage defines one, with TLS 1.2', () => {
    const certificate_arn = 'arn:aws:acm:eu-west-1:111122223333:certificate/1'
    const stage = stageOf('dev', { domain: { name: 'api.shop.example', certificate_arn } })
    const named = Template.fromStack(new ApiStack(new App(), 'Api', { stage }))
    named.hasResourceProperties('AWS::ApiGateway::DomainName', {
      DomainName: 'api.shop.example',
      RegionalCertificateArn: certificate_arn,
      SecurityPolicy: 'TLS_1_2',
    })
    named.resourceCountIs('AWS::ApiGateway::BasePathMapping', 1)
    template.resourceCountIs('AWS::ApiGateway::DomainName', 0)
    expect(named.findOutputs('BaseUrl').BaseUrl!.Value).toBe('https://api.shop.example/api/v1')
    expect(JSON.stringify(named.toJSON())).toContain('https://api.shop.example/docs/errors#not_found')
    expect(JSON.stringify(template.toJSON())).toContain('https://$context.domainName/dev/docs/errors#not_found')
  })

  test.each([
    ['dev', 'Delete', 'Delete'],
    ['staging', 'RetainExceptOnCreate', 'Retain'],
    ['prod', 'RetainExceptOnCreate', 'Retain'],
  ])(
    'gives the custom domain in %s the deletion policy %s and the replace policy %s',
    (name, DeletionPolicy, UpdateReplacePolicy) => {
      const named = Template.fromStack(new ApiStack(new App(), 'Api', { stage: fullStageOf(name) }))
      for (const type of ['DomainName', 'BasePathMapping']) {
        const [resource] = Object.values(named.findResources(`AWS::ApiGateway::${type}`))
        const { DeletionPolicy: deleted = 'Delete', UpdateReplacePolicy: replaced = 'Delete' } = resource!
        expect([deleted, replaced], type).toEqual([DeletionPolicy, UpdateReplacePolicy])
      }
    },
  )
})
