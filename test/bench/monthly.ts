import type { Usage } from './usage.ts'

/** A CloudFormation template. */
export interface Stack {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>
}

export const HOURS_A_MONTH = 730
export const MINUTES_A_MONTH = HOURS_A_MONTH * 60

/** Lambda polls a queue over five connections, and each poll waits for 20 seconds. */
const POLLS_A_MONTH = 5 * 3 * MINUTES_A_MONTH

/** The number of series of a metric by its dimension. */
const series_by: Readonly<Record<string, number>> = { outcome: 3, attempt: 26 }

/**
 * The usage of an unused stage's stacks in a month, without the sweep. A metric of log lines has no data then and costs
 * nothing.
 */
export function monthlyUsage(stacks: readonly Stack[]): Usage {
  const of = (type: string) => resources(stacks, type)
  const alarms = of('CloudWatch::Alarm')
  const firewalls = of('WAFv2::WebACL')
  return {
    key: of('KMS::Key').length,
    firewall: firewalls.length,
    firewall_rule: firewalls.flatMap(({ Rules }) => Rules).length,
    alarm_metric: alarms.flatMap(({ Metrics = ['its one'] }) => Metrics.filter(isMetric)).length,
    dashboard: of('CloudWatch::Dashboard').length,
    queue_call: polledQueues(of('Lambda::EventSourceMapping')) * POLLS_A_MONTH,
    nat_hour: of('EC2::NatGateway').length * HOURS_A_MONTH,
    // Each gateway has one public address, which is no resource of a stack.
    address_hour: of('EC2::NatGateway').length * HOURS_A_MONTH,
  }
}

/** The additional usage of a stage in a month in which every metric of log lines has data. Each series counts once. */
export function usageOfMetrics(stacks: readonly Stack[]): Usage {
  const metrics = resources(stacks, 'Logs::MetricFilter').flatMap(({ MetricTransformations }) => MetricTransformations)
  const series = new Map(metrics.map(({ MetricName, Dimensions = [] }) => [MetricName, Dimensions[0]?.Key]))
  return { metric: [...series.values()].reduce((sum, field) => sum + (series_by[field] ?? 1), 0) }
}

// biome-ignore lint/suspicious/noExplicitAny: properties have every shape
const resources = (stacks: readonly Stack[], type: string): any[] =>
  stacks.flatMap(({ Resources }) =>
    Object.values(Resources).flatMap(({ Type, Properties }) => (Type === `AWS::${type}` ? [Properties ?? {}] : [])),
  )

/** The number of queues that are polled. Of the two event sources of a queue with slots, one polls. */
// biome-ignore lint/suspicious/noExplicitAny: properties have every shape
const polledQueues = (mappings: readonly any[]): number =>
  new Set(
    mappings.flatMap(({ ScalingConfig, EventSourceArn }) => (ScalingConfig ? JSON.stringify(EventSourceArn) : [])),
  ).size

/** An alarm costs the metrics that it reads, without its expressions. */
const isMetric = (metric: string | { readonly Expression?: string }) =>
  typeof metric === 'string' || metric.Expression === undefined
