import { Unit } from 'aws-cdk-lib/aws-cloudwatch'
import type { Function as Lambda } from 'aws-cdk-lib/aws-lambda'
import { FilterPattern, type IFilterPattern, MetricFilter } from 'aws-cdk-lib/aws-logs'
import { accessOf } from '#infra/access/access-of.ts'
import { type Names, SERVICE, UNRESOLVED } from '#infra/names.ts'

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

function measure(lambda: Lambda, id: string, { name, pattern, value = '1', unit, by }: Measured): void {
  new MetricFilter(lambda, id, {
    logGroup: lambda.logGroup,
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
