import { Aws, Duration } from 'aws-cdk-lib'
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch'
import { type Names, namesInSlot, SERVICE, SLOTS, type Slot, type SlotNames } from '#infra/names.ts'
import type { Stage } from '#infra/stage.ts'
import { fanOut, sweep, workedQueues } from '#shared/background.ts'

/** The metrics of a stage, with the statistics and periods that the alarms and the dashboard use. */
export function metricsOf(names: Names, stage: Stage) {
  const metric =
    (namespace: string, dimensionsMap: Record<string, string> = {}) =>
    (metricName: string, statistic: string, minutes = 1): Metric =>
      new Metric({ namespace, metricName, statistic, dimensionsMap, period: Duration.minutes(minutes) })
  const own = metric(SERVICE)
  const api = metric('AWS/ApiGateway', { ApiName: names.api, Stage: stage.name })
  const lambda = (FunctionName: string) => metric('AWS/Lambda', { FunctionName })
  const slots = SLOTS.map((slot) => namesInSlot(stage.name, slot))
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
    good_sweeps: goodSweeps(
      (stage.hasSlots ? slots.map((slot) => slot.function(sweep)) : [names.function(sweep)]).map(lambda),
    ),
    candidate_error_rate: new MathExpression({
      label: 'server errors of the candidate',
      // One error among a few requests says little. The second one counts.
      expression: 'IF(errors > 1, errors / requests, 0)',
      usingMetrics: { errors: own(names.candidateErrors, 'Sum'), requests: own(names.candidateRequests, 'Sum') },
      period: Duration.minutes(1),
    }),
    candidate_latency: own(names.candidateLatency, 'p99'),
    unresolved_in: (slot: Slot) => own(namesInSlot(stage.name, slot).unresolved, 'Sum'),
    failed_work_in: (slot: Slot) => failedWork(own, lambda, namesInSlot(stage.name, slot)),
  }
}

type MetricOf = (metricName: string, statistic: string, minutes?: number) => Metric

/** The sweeps that ended well. With slots, only one of two functions sweeps, or both for the time of a shift. */
function goodSweeps(sweepers: readonly MetricOf[]): MathExpression {
  const several = sweepers.length > 1
  const id = (what: string, index: number) => (several ? `${what}_${index}` : what)
  const filled = (name: string) => (several ? `FILL(${name}, 0)` : name)
  const terms = sweepers.map((_, index) => `${filled(id('runs', index))} - ${filled(id('failures', index))}`)
  return new MathExpression({
    label: 'sweeps that ended well',
    expression: terms.join(' + '),
    usingMetrics: Object.fromEntries(
      sweepers.flatMap((of, index) => [
        [id('runs', index), of('Invocations', 'Sum')],
        [id('failures', index), of('Errors', 'Sum')],
      ]),
    ),
    period: Duration.minutes(1),
  })
}

/** The failed messages of a slot's workers and fan-out, and the invocations of its background functions that failed. */
function failedWork(own: MetricOf, lambda: (name: string) => MetricOf, slot: SlotNames): MathExpression {
  const files = [sweep, fanOut, ...workedQueues().map(({ file }) => file)]
  const errors = Object.fromEntries(
    files.map((file, index) => [`errors_${index}`, lambda(slot.function(file))('Errors', 'Sum', 5)]),
  )
  const usingMetrics = { failed: own(slot.failedWork, 'Sum', 5), ...errors }
  const expression = Object.keys(usingMetrics)
    .map((name) => `FILL(${name}, 0)`)
    .join(' + ')
  return new MathExpression({ label: 'failed work', expression, usingMetrics, period: Duration.minutes(5) })
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
