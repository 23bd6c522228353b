import { Aws, Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { type Names, SERVICE } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { sweep } from '#shared/background.ts'

/** The metrics of a stage, with the statistics and periods that the alarms and the dashboard use. */
export function metricsOf(names: Names, stage: Stage) {
  const metric =
    (namespace: string, dimensionsMap: Record<string, string> = {}) =>
    (metricName: string, statistic: string, minutes = 1): Metric =>
      new Metric({ namespace, metricName, statistic, dimensionsMap, period: Duration.minutes(minutes) })
  const own = metric(SERVICE)
  const api = metric('AWS/ApiGateway', { ApiName: names.api, Stage: stage.name })
  const sweeps = metric('AWS/Lambda', { FunctionName: names.function(sweep) })
  const queue = (name: string) => metric('AWS/SQS', { QueueName: name })
  const firewall = (rule: string) => metric('AWS/WAFV2', { Region: Aws.REGION, WebACL: names.firewall, Rule: rule })
  return {
    requests: api('Count', 'Sum'),
    client_errors: api('4XXError', 'Sum'),
    server_errors: api('5XXError', 'Sum'),
    server_error_rate: api('5XXError', 'Average', 5),
    latency: (statistic: string) => api('Latency', statistic, 5),
    waiting: (name: string) => queue(names.queue(name))('ApproximateNumberOfMessagesVisible', 'Maximum'),
    dead: (name: string) => queue(name)('ApproximateNumberOfMessagesVisible', 'Maximum'),
    overdue: own(names.overdue, 'Maximum'),
    outbox: own(names.outbox, 'Maximum'),
    unresolved: own(names.unresolved, 'Sum', 5),
    unresolved_seconds: own(names.unresolvedSeconds, 'Maximum', 5),
    first_latency: (statistic: string) => own(names.firstLatency, statistic, 5),
    payments: each('outcome', names.payments),
    attempts: each('attempt', names.attempts),
    blocked: (rule: string) => firewall(rule)('BlockedRequests', 'Sum'),
    marked: (rule: string) => firewall(rule)('CountedRequests', 'Sum'),
    good_sweeps: new MathExpression({
      label: 'sweeps that ended well',
      expression: 'runs - failures',
      usingMetrics: { runs: sweeps('Invocations', 'Sum'), failures: sweeps('Errors', 'Sum') },
      period: Duration.minutes(1),
    }),
  }
}

/** One series for each value of a field, whatever values occur. */
function each(field: string, metricName: string): IMetric {
  return new MathExpression({
    label: '',
    // A search finds a name with a hyphen only in quotes.
    expression: `SEARCH('{"${SERVICE}","${field}"} MetricName="${metricName}"', 'Sum', 300)`,
    period: Duration.minutes(5),
  })
}
