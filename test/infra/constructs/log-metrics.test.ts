import { App } from 'aws-cdk-lib'
import { Template } from 'aws-cdk-lib/assertions'
import { Code } from 'aws-cdk-lib/aws-lambda'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { alarmsOf } from '#infra/constructs/alarms.ts'
import type { Invoke } from '#infra/local/due-work.ts'
import { invoker } from '#infra/local/server.ts'
import { namesOf } from '#infra/names.ts'
import { FunctionsStack } from '#infra/stacks/functions-stack.ts'
import { sweep } from '#shared/background.ts'
import { logLine } from '#shared/platform/log-line.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { openReceivers, type Receivers } from '#test/fixtures/receivers.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import { fieldsIn, finds } from '#test/infra/constructs/filter-pattern.ts'

const names = namesOf('dev')
const stage = stageOf('dev')
const template = Template.fromStack(
  new FunctionsStack(new App(), 'Functions', { stage, code: (f) => Code.fromInline(f) }),
)

interface Measured {
  /** The function whose log is read. */
  readonly of: string
  readonly metric: string
  readonly pattern: string
  readonly value: string
  readonly by: readonly string[]
}

const groups = template.findResources('AWS::Logs::LogGroup')
const measured: Measured[] = Object.values(template.findResources('AWS::Logs::MetricFilter')).map(({ Properties }) => {
  const [{ MetricName, MetricValue, Dimensions = [] }] = Properties.MetricTransformations
  return {
    of: groups[Properties.LogGroupName.Ref]!.Properties.LogGroupName.replace('/aws/lambda/', ''),
    metric: MetricName,
    pattern: Properties.FilterPattern,
    value: MetricValue,
    by: Dimensions.map(({ Value }: { Value: string }) => Value),
  }
})

/** The log lines of each function, by its name on AWS. */
const logs = new Map<string, string[]>()
let api: Api
let receivers: Receivers

/** Calls a function with a log of its own, as on AWS. */
const invoke: Invoke = (file, event) => {
  const lines = logs.get(names.function(file)) ?? []
  logs.set(names.function(file), lines)
  return invoker({ ...api.platform, log: (entry) => lines.push(logLine(entry)) })(file, event)
}

beforeAll(async () => {
  api = await openApi({ invoke })
  receivers = await openReceivers(['well'], () => {})
  await deliverEvent()
  await declineVoid()
  await delayFanOut()
})
afterAll(async () => {
  await receivers.close()
  await api.close()
})

/** Makes a payment whose event is delivered to a webhook. */
async function deliverEvent(): Promise<void> {
  const json = { url: receivers.urls[0], event_list: ['payment.captured'] }
  await api.request('POST /webhooks', { json })
  await api.request('POST /payments', { json: { amount: 1, currency: 'JPY', payment_details: card() } })
  await api.advance(0)
}

/** Lets an authorization expire, and lets the acquirer decline its void. */
async function declineVoid(): Promise<void> {
  const json = { amount: 1, currency: 'JPY', capture: false, payment_details: card() }
  const { id, payment_deadline } = (await api.request('POST /payments', { json })).body
  const outcome = { result: 'declined', code: 'other_error' }
  const pk = `sandbox#${api.test.id}#${id}-3`
  await api.platform.table.write([{ put: { pk, sk: 'sandbox', version: 1, operation: 'void', outcome }, was: 0 }])
  await api.workers.advanceTo(Date.parse(payment_deadline) + 7 * 86_400_000)
}

/** Creates an event that is not fanned out for ten minutes, and runs the sweep. */
async function delayFanOut(): Promise<void> {
  await api.request('POST /customers', { json: { payment_details: card() } })
  api.platform.clock.turnTo(api.platform.clock.now() + 600_000)
  await invoke(sweep, {})
}

/** The lines that a filter finds in the log of its function. */
const linesFor = ({ of, pattern }: Measured) => (logs.get(of) ?? []).filter((line) => finds(pattern, line))

describe('the log metrics', () => {
  const own = [...new Set(measured.map(({ metric }) => metric))]

  test('are those that alarms read and the two that only the dashboard shows', () => {
    const read = alarmsOf(names, stage).flatMap(({ metric }) =>
      'metricName' in metric && metric.namespace === 'payment-service' ? [metric.metricName] : [],
    )
    expect(read).toHaveLength(5)
    expect(own.sort()).toEqual([...read, names.payments, names.attempts].sort())
  })

  test.each(own)('contain %s, measured from lines that the functions write', (metric) => {
    const lines = measured.filter((one) => one.metric === metric).flatMap(linesFor)
    expect(lines.length).toBeGreaterThan(0)
  })

  test.each(measured)('take $metric in the log of $of from fields that every matching line has', (one) => {
    const named = [one.value, ...one.by].filter((value) => value.startsWith('$.')).map((value) => value.slice(2))
    for (const field of named) expect(fieldsIn(one.pattern)).toContain(field)
    for (const line of linesFor(one)) for (const field of named) expect(JSON.parse(line)[field]).toBeDefined()
  })

  test.each([
    ['a charge that has an outcome', 'payment_settled', names.payments],
    ['an attempt of a delivery', 'delivery_attempted', names.attempts],
    ['an operation whose inquiries have ended', 'charge_unresolved', names.unresolved],
    ['an operation with an unknown outcome', 'charge_unknown', names.unresolvedSeconds],
    ['overdue work', 'overdue', names.overdue],
  ])('measure %s once in each log that records it', (_, event, metric) => {
    const recording = [...logs].filter(([, lines]) => lines.some((line) => JSON.parse(line).event === event))
    expect(recording.length).toBeGreaterThan(0)
    for (const [of] of recording)
      expect(measured.filter((one) => one.of === of && one.metric === metric)).toHaveLength(1)
  })
})
