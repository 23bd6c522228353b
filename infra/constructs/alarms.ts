import {
  ComparisonOperator,
  type CreateAlarmOptions,
  type IMetric,
  type MathExpression,
  type Metric,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch'
import { type Names, SLOTS } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'
import { metricsOf } from './metrics.ts'

/** One alarm of a stage: its metric, its threshold and the description that the person on call reads. */
export interface AlarmRow extends Pick<CreateAlarmOptions, 'threshold' | 'evaluationPeriods' | 'datapointsToAlarm'> {
  readonly id: string
  readonly name: string
  readonly metric: Metric | MathExpression
  readonly description: string
  readonly comparisonOperator: ComparisonOperator
  readonly treatMissingData: TreatMissingData
}

/** All alarms of a stage. Each alarm requires a person to act, so there are few. */
export function alarmsOf(names: Names, stage: Stage): AlarmRow[] {
  const metrics = metricsOf(names, stage)
  return [
    ...backgroundAlarms(names, metrics),
    ...acquirerAlarms(names, metrics),
    ...serviceLevelAlarms(names, metrics),
    ...(stage.hasSlots ? releaseAlarms(names, metrics) : []),
  ]
}

type Metrics = ReturnType<typeof metricsOf>

/** An alarm for a metric that is above its threshold in each of the last `evaluationPeriods` periods. */
const above = (
  names: Names,
  id: string,
  {
    metric,
    ...row
  }: Pick<AlarmRow, 'threshold' | 'evaluationPeriods' | 'datapointsToAlarm' | 'description'> & {
    readonly metric: IMetric
  },
): AlarmRow => ({
  ...row,
  id,
  name: names.stack(id),
  metric: metric as Metric,
  comparisonOperator: ComparisonOperator.GREATER_THAN_THRESHOLD,
  treatMissingData: TreatMissingData.NOT_BREACHING,
})

/** The alarms of the queues, the sweep and the outbox. */
const backgroundAlarms = (names: Names, metrics: Metrics): AlarmRow[] => [
  ...queueNames.map((queue) =>
    above(names, `${queue}-dead-letters`, {
      metric: metrics.dead(names.deadLetters(queue)),
      threshold: 0,
      evaluationPeriods: 1,
      description: `A message of the queue "${queue}" failed on every try and is now in its dead-letter queue.`,
    }),
  ),
  {
    id: 'sweep',
    name: names.stack('sweep'),
    metric: metrics.good_sweeps,
    threshold: 1,
    evaluationPeriods: 5,
    comparisonOperator: ComparisonOperator.LESS_THAN_THRESHOLD,
    // A sweep that never starts reports no data.
    treatMissingData: TreatMissingData.BREACHING,
    description: 'No sweep has succeeded for five minutes, so due work is not queued.',
  },
  above(names, 'overdue', {
    metric: metrics.overdue,
    threshold: 120,
    evaluationPeriods: 2,
    description: 'Due work, such as a capture or a delivery, has been overdue for more than two minutes.',
  }),
  above(names, 'outbox', {
    metric: metrics.outbox,
    threshold: 0,
    evaluationPeriods: 2,
    description: 'The deliveries of an event were not created within a minute after its commit.',
  }),
]

/** The alarms of operations at the acquirer whose outcome is unknown. */
const acquirerAlarms = (names: Names, metrics: Metrics): AlarmRow[] => [
  above(names, 'unresolved', {
    metric: metrics.unresolved,
    threshold: 0,
    evaluationPeriods: 1,
    description:
      'The outcome of an operation is still unknown after all inquiries. Ask the acquirer and record the outcome.',
  }),
  above(names, 'unresolved-for-an-hour', {
    metric: metrics.unresolved_seconds,
    threshold: 3_600,
    evaluationPeriods: 1,
    description: 'The outcome of an operation at the acquirer has been unknown for an hour.',
  }),
]

/** The alarms of failing requests, and of slow requests and deliveries. */
const serviceLevelAlarms = (names: Names, metrics: Metrics): AlarmRow[] => [
  above(names, 'server-errors', {
    metric: metrics.server_error_rate,
    threshold: 0.01,
    evaluationPeriods: 2,
    description: 'More than 1 % of the requests got a 5xx response.',
  }),
  above(names, 'latency', {
    metric: metrics.latency('p99'),
    threshold: 5_000,
    evaluationPeriods: 3,
    description: 'The slowest 1 % of the requests took more than five seconds.',
  }),
  above(names, 'first-delivery-latency', {
    metric: metrics.first_latency('p99'),
    threshold: 60_000,
    evaluationPeriods: 2,
    description: 'The slowest 1 % of the deliveries began more than a minute after their event.',
  }),
]

/** The alarms that end a release. Those of the candidate have data only while a release shifts traffic to it. */
const releaseAlarms = (names: Names, metrics: Metrics): AlarmRow[] => [
  above(names, 'candidate-server-errors', {
    metric: metrics.candidate_error_rate,
    threshold: 0.01,
    evaluationPeriods: 3,
    datapointsToAlarm: 2,
    description: 'More than 1 % of the requests to the candidate of a release got a 5xx response.',
  }),
  above(names, 'candidate-latency', {
    metric: metrics.candidate_latency,
    threshold: 5_000,
    evaluationPeriods: 5,
    datapointsToAlarm: 3,
    description: 'The slowest 1 % of the requests to the candidate of a release took more than five seconds.',
  }),
  ...SLOTS.flatMap((slot) => [
    above(names, `${slot}-unresolved`, {
      metric: metrics.unresolved_in(slot),
      threshold: 0,
      evaluationPeriods: 1,
      description: `The outcome of an operation of slot ${slot} is still unknown after all inquiries.`,
    }),
    above(names, `${slot}-failed-work`, {
      metric: metrics.failed_work_in(slot),
      threshold: 3,
      evaluationPeriods: 1,
      description: `The background functions of slot ${slot} failed more than three times in five minutes.`,
    }),
  ]),
]
