import type { Usage } from './usage.ts'

/** A template as CloudFormation takes it. */
export interface Stack {
  readonly Resources: Readonly<Record<string, { readonly Type: string; readonly Properties?: object }>>
}

export const HOURS_A_MONTH = 730
export const MINUTES_A_MONTH = HOURS_A_MONTH * 60

/** Lambda asks a queue with five connections, each of which waits for 20 seconds. */
const POLLS_A_MONTH = 5 * 3 * MINUTES_A_MONTH

/** How many series there are of a metric that is told apart by such a field. */
const series_by: Readonly<Record<string, number>> = { outcome: 3, attempt: 26 }

/**
 * What the stacks of a stage take in a month in which nobody uses it, besides the sweep. A metric that is made from lines of
 * the log has no data then, and costs nothing.
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
    queue_call: of('Lambda::EventSourceMapping').filter(({ ScalingConfig }) => ScalingConfig).length * POLLS_A_MONTH,
    nat_hour: of('EC2::NatGateway').length * HOURS_A_MONTH,
    // Each gateway has one public address, which belongs to no stack.
    address_hour: of('EC2::NatGateway').length * HOURS_A_MONTH,
  }
}

/** What a stage in use takes besides in a month in which every line is logged from which a metric is made: each series, once. */
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

/** An alarm pays for the metrics that it looks at, not for what it reckons from them. */
const isMetric = (metric: string | { readonly Expression?: string }) =>
  typeof metric === 'string' || metric.Expression === undefined
