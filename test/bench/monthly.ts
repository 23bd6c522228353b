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

/** What the stacks of a stage take in a month in which nobody uses it, besides the sweep. */
export function monthlyUsage(stacks: readonly Stack[]): Usage {
  // biome-ignore lint/suspicious/noExplicitAny: properties have every shape
  const of = (type: string): any[] =>
    stacks.flatMap(({ Resources }) =>
      Object.values(Resources).flatMap(({ Type, Properties }) => (Type === `AWS::${type}` ? [Properties ?? {}] : [])),
    )
  const metrics = of('Logs::MetricFilter').flatMap(({ MetricTransformations }) => MetricTransformations)
  const series = new Map(metrics.map(({ MetricName, Dimensions = [] }) => [MetricName, Dimensions[0]?.Key]))
  const alarms = of('CloudWatch::Alarm')
  const firewalls = of('WAFv2::WebACL')
  return {
    key: of('KMS::Key').length,
    firewall: firewalls.length,
    firewall_rule: firewalls.flatMap(({ Rules }) => Rules).length,
    alarm_metric: alarms.flatMap(({ Metrics = ['its one'] }) => Metrics.filter(isMetric)).length,
    dashboard: of('CloudWatch::Dashboard').length,
    metric: [...series.values()].reduce((sum, field) => sum + (series_by[field] ?? 1), 0),
    queue_call: of('Lambda::EventSourceMapping').filter(({ ScalingConfig }) => ScalingConfig).length * POLLS_A_MONTH,
    nat_hour: of('EC2::NatGateway').length * HOURS_A_MONTH,
    address_hour: of('EC2::EIP').length * HOURS_A_MONTH,
  }
}

/** An alarm pays for the metrics that it looks at, not for what it reckons from them. */
const isMetric = (metric: string | { readonly Expression?: string }) =>
  typeof metric === 'string' || metric.Expression === undefined
