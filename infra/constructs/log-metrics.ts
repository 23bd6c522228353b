import { Unit } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type IFilterPattern, type ILogGroup, MetricFilter } from 'aws-cdk-lib/aws-logs'
import type { Construct } from 'constructs'
import { accessOf } from '#infra/access/access-of.ts'
import { type Names, SERVICE, type SlotNames, UNRESOLVED } from '#infra/names.ts'

/*
 * The metrics that CloudWatch extracts from the lines of the functions' logs.
 */

interface Measured {
  readonly name: string
  readonly pattern: IFilterPattern
  readonly value?: string
  readonly unit?: Unit
  /** The fields of the line that become dimensions of the metric. */
  readonly by?: readonly string[]
}

const measure = (lambda: Lambda, id: string, measured: Measured): void =>
  measureIn(lambda.logGroup, lambda, id, measured)

function measureIn(
  logGroup: ILogGroup,
  scope: Construct,
  id: string,
  { name, pattern, value = '1', unit, by }: Measured,
): void {
  new MetricFilter(scope, id, {
    logGroup,
    filterPattern: pattern,
    metricNamespace: SERVICE,
    metricName: name,
    metricValue: value,
    ...(unit && { unit }),
    ...(by && { dimensions: Object.fromEntries(by.map((field) => [field, `$.${field}`])) }),
  })
}

const isEvent = (event: string) => FilterPattern.stringValue('$.event', '=', event)

/** Matches lines in which the field is a number. A metric takes its value only from a field that its pattern names. */
const hasNumber = (field: string) => FilterPattern.numberValue(field, '>=', 0)

/** Measures how long the oldest due record has been overdue, among all kinds and among outbox rows alone. */
export function measureSweep(sweeper: Lambda, names: Names): void {
  const seconds = { value: '$.overdue_seconds', unit: Unit.SECONDS }
  measure(sweeper, 'overdue', { ...seconds, name: names.overdue, pattern: hasNumber('$.overdue_seconds') })
  const isOutbox = FilterPattern.all(FilterPattern.stringValue('$.kind', '=', 'outbox'), hasNumber('$.overdue_seconds'))
  measure(sweeper, 'outbox', { ...seconds, name: names.outbox, pattern: isOutbox })
}

/**
 * Counts operations whose outcome is unknown after the last scheduled inquiry, and measures how long outcomes have been
 * unknown.
 */
export function measureUnresolved(worker: Lambda, queue: string, names: Names): void {
  measure(worker, `${queue}-unresolved`, { name: names.unresolved, pattern: FilterPattern.anyTerm(UNRESOLVED) })
  const seconds = { value: '$.unresolved_seconds', unit: Unit.SECONDS }
  const pattern = hasNumber('$.unresolved_seconds')
  measure(worker, `${queue}-unresolved-seconds`, { ...seconds, name: names.unresolvedSeconds, pattern })
}

/** Counts, for the slot of a function alone, the messages that failed and the operations that stay unresolved. */
export function measureFailedWork(worker: Lambda, id: string, slot: SlotNames): void {
  measure(worker, `${id}-slot-unresolved`, { name: slot.unresolved, pattern: FilterPattern.anyTerm(UNRESOLVED) })
  measure(worker, `${id}-slot-failed`, { name: slot.failedWork, pattern: isEvent('work_failed') })
}

/**
 * Measures the requests that API Gateway sends to the candidate of a release, from the access log: their number, their
 * 5xx responses and their latency.
 */
export function measureCandidate(scope: Construct, accessLog: ILogGroup, names: Names): void {
  const isCandidate = FilterPattern.stringValue('$.candidate', '=', 'true')
  const hasFailed = FilterPattern.all(isCandidate, FilterPattern.stringValue('$.status', '=', '5*'))
  const hasLatency = FilterPattern.all(isCandidate, hasNumber('$.latency_ms'))
  const latency = { value: '$.latency_ms', unit: Unit.MILLISECONDS }
  measureIn(accessLog, scope, 'requests', { name: names.candidateRequests, pattern: isCandidate })
  measureIn(accessLog, scope, 'errors', { name: names.candidateErrors, pattern: hasFailed })
  measureIn(accessLog, scope, 'latency', { ...latency, name: names.candidateLatency, pattern: hasLatency })
}

/**
 * Counts charges whose outcome became known, by outcome. Every function that sends to an acquirer can learn an outcome.
 */
export function measurePayments(lambda: Lambda, file: string, names: Names): void {
  if (!accessOf(file).puts?.includes('sandbox')) return
  const pattern = FilterPattern.all(isEvent('payment_settled'), FilterPattern.stringValue('$.outcome', '=', '*'))
  measure(lambda, 'payments', { name: names.payments, pattern, by: ['outcome'] })
}

/**
 * Counts attempts of deliveries, by attempt number, and measures the time from an event to the first attempt of each
 * delivery.
 */
export function measureDeliveries(worker: Lambda, names: Names): void {
  const attempted = FilterPattern.all(isEvent('delivery_attempted'), hasNumber('$.attempt'))
  measure(worker, 'attempts', { name: names.attempts, pattern: attempted, by: ['attempt'] })
  const milliseconds = { value: '$.first_latency_ms', unit: Unit.MILLISECONDS }
  const pattern = hasNumber('$.first_latency_ms')
  measure(worker, 'first-latency', { ...milliseconds, name: names.firstLatency, pattern })
}
