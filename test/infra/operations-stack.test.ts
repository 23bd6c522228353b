import { App } from 'aws-cdk-lib'
import { Match, Template } from 'aws-cdk-lib/assertions'
import { describe, test } from 'vitest'
import { OperationsStack } from '#infra/operations-stack.ts'
import { stageOf } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'

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
})
