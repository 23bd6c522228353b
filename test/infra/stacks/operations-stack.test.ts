import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, expect, test } from 'vitest'
import { blocking_rules, marking_rules } from '#infra/constructs/firewall-rules.ts'
import { OperationsStack } from '#infra/stacks/operations-stack.ts'
import { queueNames } from '#shared/background.ts'
import { stageOf } from '#test/fixtures/stages.ts'

const template = Template.fromStack(new OperationsStack(new App(), 'Operations', { stage: stageOf('dev') }))

describe('somebody is woken up', () => {
  test.each(queueNames)('by a dead letter of %s', (queue) => {
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

  test('by a sweep that fails, or that does not run at all', () => {
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

  test('by an operation that nobody will ask for any more', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'payment-service',
      MetricName: 'payment-service-dev-unresolved',
      Statistic: 'Sum',
      Threshold: 0,
      ComparisonOperator: 'GreaterThanThreshold',
    })
  })

  test.each([
    ['an event that nobody was told of within a minute', 'outbox', 'Maximum', 0],
    ['an outcome that has been unknown for an hour', 'unresolved-seconds', 'Maximum', 3600],
    ['deliveries that begin a minute after their event', 'first-delivery-latency', 'p99', 60_000],
  ])('by %s', (_, metric, statistic, Threshold) => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'payment-service',
      MetricName: `payment-service-dev-${metric}`,
      ...(statistic.startsWith('p') ? { ExtendedStatistic: statistic } : { Statistic: statistic }),
      Threshold,
      ComparisonOperator: 'GreaterThanThreshold',
      TreatMissingData: 'notBreaching',
    })
  })

  test('by requests that take five seconds', () => {
    template.hasResourceProperties('AWS::CloudWatch::Alarm', {
      Namespace: 'AWS/ApiGateway',
      MetricName: 'Latency',
      ExtendedStatistic: 'p99',
      Threshold: 5000,
      EvaluationPeriods: 3,
    })
  })

  test('by what fell due and was not done for two minutes', () => {
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

  test('by server errors in one of a hundred requests', () => {
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

  test('and every alarm reaches the topic', () => {
    const [topic] = Object.keys(template.findResources('AWS::SNS::Topic'))
    template.allResourcesProperties('AWS::CloudWatch::Alarm', { AlarmActions: [{ Ref: topic }] })
  })

  test('and the topic takes them, encrypted and over TLS only', () => {
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

  test('and is told what it means', () => {
    for (const { Properties } of Object.values(template.findResources('AWS::CloudWatch::Alarm')))
      expect(Properties.AlarmDescription).toMatch(/^[A-Z].{20,}\.$/)
  })

  test('by e-mail, where the stage names somebody', () => {
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

  test('is one, with every metric that somebody is woken up by', () => {
    template.resourceCountIs('AWS::CloudWatch::Dashboard', 1)
    const names = ['overdue', 'outbox', 'unresolved', 'unresolved-seconds', 'first-delivery-latency', 'payments']
    for (const name of names) expect(bodyOf('dev')).toMatch(new RegExp(`payment-service-dev-${name}[\\\\"]`))
  })

  test('finds series by names that have a hyphen', () => {
    for (const field of ['outcome', 'attempt'])
      expect(bodyOf('dev').replaceAll('\\', '')).toContain(`SEARCH('{"payment-service","${field}"} MetricName="`)
  })

  test('shows what the firewall blocked and marked where there is one, by all that its metrics are told apart by', () => {
    expect(bodyOf('prod').replaceAll('\\', '')).toMatch(/"AWS\/WAFV2","BlockedRequests","Region",.{0,60}"WebACL"/)
    for (const rule of blocking_rules)
      expect(bodyOf('prod').replaceAll('\\', '')).toMatch(new RegExp(`"BlockedRequests"[^\\]]*"Rule","${rule}"`))
    for (const rule of marking_rules)
      expect(bodyOf('prod').replaceAll('\\', '')).toMatch(new RegExp(`"CountedRequests"[^\\]]*"Rule","${rule}"`))
    expect(bodyOf('dev')).not.toContain('AWS/WAFV2')
  })
})
