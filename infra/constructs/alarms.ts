import {
  ComparisonOperator,
  type CreateAlarmOptions,
  type IMetric,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import type { Names } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'
import { metricsOf } from './metrics.ts'

/** One alarm of a stage: its metric, its threshold and the description that the person on call reads. */
export interface AlarmRow extends Pick<CreateAlarmOptions, 'threshold' | 'evaluationPeriods'> {
  readonly id: string
  readonly name: string
  readonly metric: Metric | MathExpression
  readonly description: string
  readonly comparisonOperator: ComparisonOperator
  readonly treatMissingData: TreatMissingData
}

const ABOVE = {
  comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
}

/** All alarms of a stage. Each alarm requires a person to act, so there are few. */
export function alarmsOf(names: Names, stage: Stage): AlarmRow[] {
  const metrics = metricsOf(names, stage)
  const above = (id: string, metric: IMetric, threshold: number, evaluationPeriods: number, description: string) => ({
    ...ABOVE,
    id,
    name: names.stack(id),
    metric: metric as Metric,
    threshold,
    evaluationPeriods,
    description,
  })
  return [
    ...queueNames.map((queue) => ({
      ...above(`${queue}-dead-letters`, metrics.dead(names.deadLetters(queue)), 0, 1, ''),
      description: `A message of the queue "${queue}" failed again and again.`,
    })),
    {
      id: 'sweep',
      name: names.stack('sweep'),
      metric: metrics.good_sweeps,
      threshold: 1,
      evaluationPeriods: 5,
      comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
      // A sweep that never starts reports no data.
      treatMissingData: TreatMissingData.BREACHING,
      description: 'No sweep has ended well for five minutes: nothing that falls due is done.',
    },
    above(
      'overdue',
      metrics.overdue,
      120,
      2,
      'Something that fell due, such as a capture or a delivery, was not done for two minutes.',
    ),
    above('outbox', metrics.outbox, 0, 2, 'An event has no deliveries a minute after its commit.'),
    above(
      'unresolved',
      metrics.unresolved,
      0,
      1,
      'The acquirer does not say what became of an operation: a person must ask, and settle it.',
    ),
    above(
      'unresolved-for-an-hour',
      metrics.unresolved_seconds,
      3_600,
      1,
      'The outcome of an operation at the acquirer has been unknown for an hour.',
    ),
    above(
      'server-errors',
      metrics.server_error_rate,
      0.01,
      2,
      'More than one request in a hundred was answered with a 5xx.',
    ),
    above('latency', metrics.latency('p99'), 5_000, 3, 'One request in a hundred takes more than five seconds.'),
    above(
      'first-delivery-latency',
      metrics.first_latency('p99'),
      60_000,
      2,
      'One delivery in a hundred begins more than a minute after its event.',
    ),
  ]
}
