import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { blocking_rules, marking_rules } from '#infra/constructs/firewall-rules.ts'
import { OperationsStack } from '#infra/stacks/operations-stack.ts'
import { queueNames } from '#shared/background.ts'
import { stageOf } from '#test/fixtures/stages.ts'

const template = Template.fromStack(new OperationsStack(new App(), 'Operations', { stage: stageOf('dev') }))

describe('the alarms', () => {
  test.each(queueNames)('fire for a dead letter of %s', (queue) => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/SQS',
      MetricName: 'ApproximateNumberOfMessagesVisible',
      Dimensions: [{ Name: 'QueueName', Value: `payment-service-dev-${queue}-dead-letters` }],
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0,
      EvaluationPeriods: 1,
      TreatMissingData: 'notBreaching',
    })
  })

  test('fire if the sweep fails or does not run', () => {
    const metric = (MetricName: string) => ({
      MetricStat: {
        Metric: {
          Namespace: 'AWS/Lambda',
          MetricName,
          Dimensions: [{ Name: 'FunctionName', Value: 'payment-service-dev-background-sweep' }],
        },
        Period: 60,
        Stat: 'Sum',
      },
    })
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Metrics: Match.arrayWith([
        Match.objectLike({ Expression: 'runs - failures', ReturnData: true }),
        Match.objectLike({ Id: 'runs', ...metric('Invocations') }),
        Match.objectLike({ Id: 'failures', ...metric('Errors') }),
      ]),
      ComparisonOperator: 'LessThanThreshold',
      Threshold: 1,
      EvaluationPeriods: 5,
      TreatMissingData: 'breaching',
    })
  })

  test('fire for an operation whose inquiries have ended', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'payment-service',
      MetricName: 'payment-service-dev-unresolved',
      Statistic: 'Sum',
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
    })
  })

  test.each([
    ['an event that is not fanned out within a minute', 'outbox', 'Maximum', 0],
    ['an outcome that has been unknown for an hour', 'unresolved-seconds', 'Maximum', 3600],
    ['deliveries that begin a minute after their event', 'first-delivery-latency', 'p99', 60_000],
  ])('fire for %s', (_, metric, statistic, Threshold) => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'payment-service',
      MetricName: `payment-service-dev-${metric}`,
      ...(statistic.startsWith('p') ? { ExtendedStatistic: statistic } : { Statistic: statistic }),
      Threshold,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    })
  })

  test('fire for requests that take more than five seconds', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/ApiGateway',
      MetricName: 'Latency',
      ExtendedStatistic: 'p99',
      Threshold: 5000,
      EvaluationPeriods: 3,
    })
  })

  test('fire for work that is overdue for two minutes', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'payment-service',
      MetricName: 'payment-service-dev-overdue',
      Statistic: 'Maximum',
      Threshold: 120,
      EvaluationPeriods: 2,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    })
  })

  test('fire for server errors in more than one of a hundred requests', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/ApiGateway',
      MetricName: '5XXError',
      Dimensions: [
        { Name: 'ApiName', Value: 'payment-service-dev-api' },
        { Name: 'Stage', Value: 'dev' },
      ],
      Statistic: 'Average',
      ComparisonOperator: 'GreaterThanThreshold',
      Threshold: 0.01,
    })
  })

  test('are all sent to the topic', () => {
    const [topic] = Object.keys(template.findResources('AWS::SNS::Topic'))
    template.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [{ Ref: topic }] })
  })

  test('are accepted by the topic, which is encrypted and requires TLS', () => {
    template.hasResourceProperties('AWS::SNS::Topic', { KmsMasterKeyId: { Ref: Match.anyValue() } })
    template.hasResourceProperties('AWS::SNS::TopicPolicy', {
      PolicyDocument: {
        Statement: Match.arrayWith([
          Match.objectLike({ Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } }),
          Match.objectLike({
            Effect: 'Allow',
            Principal: { Service: 'cloudwatch.amazonaws.com' },
            Condition: { StringEquals: { 'aws:SourceAccount': { Ref: 'AWS::AccountId' } } },
          }),
        ]),
      },
    })
  })

  test('have a description of at least one sentence', () => {
    for (const { Properties } of Object.values(template.findResources('AWS::CloudWatch::Alarm')))
      expect(Properties.AlarmDescription).toMatch(/^[A-Z].{20,}\.$/)
  })

  test('are sent by e-mail if the stage has receivers of alarms', () => {
    const stage = stageOf('dev', { alarm_emails: ['on-call@shop.example'] })
    Template.fromStack(new OperationsStack(new App(), 'Operations', { stage })).hasResourceProperties(
      'AWS::SNS::Subscription',
      { Protocol: 'email', Endpoint: 'on-call@shop.example' },
    )
    template.resourceCountIs('AWS::SNS::Subscription', 0)
  })
})

describe('the dashboard', () => {
  const bodyOf = (stage: string) => {
    const stack = new OperationsStack(new App(), 'Operations', { stage: stageOf(stage) })
    const [found] = Object.values(Template.fromStack(stack).findResources('AWS::CloudWatch::Dashboard'))
    return JSON.stringify(found!.Properties.DashboardBody)
  }

  test('exists once and shows our own metrics', () => {
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 1)
    const names = ['overdue', 'outbox', 'unresolved', 'unresolved-seconds', 'first-delivery-latency', 'payments']
    for (const name of names) expect(bodyOf('dev')).toMatch(new RegExp(`payment-service-dev-${name}[\\\\"]`))
  })

  test('quotes the namespace in searches because it contains hyphens', () => {
    for (const field of ['outcome', 'attempt'])
      expect(bodyOf('dev').replaceAll('\\', '')).toContain(`SEARCH('{"payment-service","${field}"} MetricName="`)
  })

  test('shows blocked and marked requests by rule if the stage has a firewall', () => {
    expect(bodyOf('prod').replaceAll('\\', '')).toMatch(/"AWS\/WAFV2","BlockedRequests","Region",.{0,60}"WebACL"/)
    for (const rule of blocking_rules)
      expect(bodyOf('prod').replaceAll('\\', '')).toMatch(new RegExp(`"BlockedRequests"[^\\]]*"Rule","${rule}"`))
    for (const rule of marking_rules)
      expect(bodyOf('prod').replaceAll('\\', '')).toMatch(new RegExp(`"CountedRequests"[^\\]]*"Rule","${rule}"`))
    expect(bodyOf('dev')).not.toContain('AWS/WAFV2')
  })
})
