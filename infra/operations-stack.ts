import { Duration, Stack } from 'aws-cdk-lib'
import { Alarm, ComparisonOperator, MathExpression, Metric, TreatMissingData } from 'aws-cdk-lib/aws-cloudwatch'
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions'
import { Topic } from 'aws-cdk-lib/aws-sns'
import type { Construct } from 'constructs'
import { queueNames, sweep } from '#shared/background.ts'
import { type Names, namesOf, SERVICE } from './names.ts'
import type { Stage } from './stage.ts'

/** How late the oldest thing that fell due may be. */
const OVERDUE_SECONDS_MAX = 120

/** What wakes somebody up. Whoever is on call subscribes to the topic. */
export class OperationsStack extends Stack {
  constructor(scope: Construct, id: string, { stage }: { stage: Stage }) {
    const names = namesOf(stage.name)
    super(scope, id, { stackName: names.stack('operations') })

    const onCall = new SnsAction(new Topic(this, 'Alarms', { topicName: names.alarms }))
    for (const queue of queueNames) this.#deadLettersAlarm(queue, names.deadLetters(queue)).addAlarmAction(onCall)
    this.#sweepAlarm(names).addAlarmAction(onCall)
    this.#overdueAlarm(names).addAlarmAction(onCall)
    this.#unresolvedAlarm(names).addAlarmAction(onCall)
    this.#serverErrorsAlarm(names, stage).addAlarmAction(onCall)
  }

  #deadLettersAlarm(queue: string, deadLetters: string): Alarm {
    return new Alarm(this, `${queue}-dead-letters`, {
      alarmName: deadLetters,
      alarmDescription: `A message of the queue "${queue}" failed again and again.`,
      metric: new Metric({
        namespace: 'AWS/SQS',
        metricName: 'ApproximateNumberOfMessagesVisible',
        dimensionsMap: { QueueName: deadLetters },
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }

  #sweepAlarm(names: Names): Alarm {
    const sweeps = (metricName: string) =>
      new Metric({
        namespace: 'AWS/Lambda',
        metricName,
        dimensionsMap: { FunctionName: names.function(sweep) },
        statistic: 'Sum',
        period: Duration.minutes(1),
      })
    return new Alarm(this, 'sweep', {
      alarmName: names.stack('sweep'),
      alarmDescription: 'No sweep has ended well for five minutes: nothing that falls due is done.',
      metric: new MathExpression({
        expression: 'runs - failures',
        usingMetrics: { runs: sweeps('Invocations'), failures: sweeps('Errors') },
        period: Duration.minutes(1),
      }),
      threshold: 1,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      evaluationPeriods: 5,
      // A sweep that is not even started reports nothing.
      treatMissingData: TreatMissingData.BREACHING,
    })
  }

  #overdueAlarm(names: Names): Alarm {
    return new Alarm(this, 'overdue', {
      alarmName: names.overdue,
      alarmDescription:
        'Something that fell due, such as a capture, a delivery or an event to be told, was not done in time.',
      metric: new Metric({
        namespace: SERVICE,
        metricName: names.overdue,
        statistic: 'Maximum',
        period: Duration.minutes(1),
      }),
      threshold: OVERDUE_SECONDS_MAX,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 2,
      // The sweep tells nothing while nothing is overdue.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }

  #unresolvedAlarm(names: Names): Alarm {
    return new Alarm(this, 'unresolved', {
      alarmName: names.unresolved,
      alarmDescription: 'The acquirer does not say what became of an operation: a person must ask, and settle it.',
      metric: new Metric({
        namespace: SERVICE,
        metricName: names.unresolved,
        statistic: 'Sum',
        period: Duration.minutes(5),
      }),
      threshold: 0,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 1,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }

  #serverErrorsAlarm(names: Names, stage: Stage): Alarm {
    return new Alarm(this, 'server-errors', {
      alarmName: names.stack('server-errors'),
      alarmDescription: 'More than one request in a hundred was answered with a 5xx.',
      metric: new Metric({
        namespace: 'AWS/ApiGateway',
        metricName: '5XXError',
        dimensionsMap: { ApiName: names.api, Stage: stage.name },
        statistic: 'Average',
        period: Duration.minutes(5),
      }),
      threshold: 0.01,
      comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
      evaluationPeriods: 2,
      treatMissingData: TreatMissingData.NOT_BREACHING,
    })
  }
}
