import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLocalPlatform } from '#infra/local/local-platform.ts'
import { localService } from '#infra/local/server.ts'
import type { Workers } from '#infra/local/workers.ts'
import { BASE_PATH, type Route } from '#shared/routes.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { example_requests } from './example-requests.ts'
import {
  type ExampleRequest,
  type ExampleStep,
  type Known,
  type Meanwhile,
  type ScenarioStep,
  SHOP,
} from './examples/example-step.ts'
import { listen, openReceiver } from './recording-receiver.ts'
import { stableValues } from './stable-values.ts'

/** The time at which a recording starts: a morning in Japan. */
const BEGINS_AT = Date.parse('2030-01-15T01:00:00Z')

/** The time between two steps. Records of different steps therefore have different times, and lists have one order. */
const STEP_SECONDS = 60

/** A request of the scenario with its response. */
export interface RecordedExample {
  readonly name: string
  readonly route: Route
  readonly summary: string
  readonly request: ExampleRequest
  readonly status: number
  readonly body: unknown
}

/** The body of a webhook: an event. */
export interface RecordedEvent {
  readonly type: string
  readonly created_at: string
  readonly data: { readonly id: string }
}

/** The examples of all rows, in the order of the scenario, and the events that were delivered meanwhile. */
export interface Recording {
  readonly examples: readonly RecordedExample[]
  readonly events: readonly RecordedEvent[]
}

/**
 * Runs a scenario against a new local service with a frozen clock, and returns what happened. All random values are
 * replaced by fixed ones, so two recordings are equal. Throws if a step has another status than it expects.
 */
export async function recordExamples(
  scenario: readonly ScenarioStep[] = example_requests,
  send: SendStep = sendStep,
): Promise<Recording> {
  const data_dir = mkdtempSync(join(tmpdir(), 'examples-'))
  const names = async () => {
    throw new Error('host names are not resolved in a recording')
  }
  const platform = openLocalPlatform({ data_dir, frozen_at: BEGINS_AT, names })
  const { server, workers } = localService(platform)
  const receiver = await openReceiver()
  try {
    const { merchants, writes } = newMerchants(BEGINS_AT, '山田茶舗')
    await platform.table.write(writes)
    const origin = await listen(server)
    const service = { origin, shop: receiver.origin, ...merchants.test, now: () => platform.clock.now(), send }
    const examples = await play(scenario, service, workers)
    const events = receiver.bodies.map((body) => JSON.parse(body) as RecordedEvent).sort(byTime)
    const origins = { [origin]: 'https://api.example.com', [receiver.origin]: SHOP }
    return stableValues({ examples, events: firstOfEachType(events) }, origins)
  } finally {
    receiver.close()
    server.closeAllConnections()
    server.close()
    platform.table.close()
    rmSync(data_dir, { recursive: true })
  }
}

/** Orders events by time and type, and then by the id of their resource, which begins with a time as well. */
const byTime = (one: RecordedEvent, other: RecordedEvent) => (orderOf(one) < orderOf(other) ? -1 : 1)
const orderOf = ({ created_at, type, data }: RecordedEvent) => `${created_at} ${type} ${data.id}`

const firstOfEachType = (events: readonly RecordedEvent[]) =>
  events.filter(({ type }, at) => events.findIndex((other) => other.type === type) === at)

/** Where a recording sends its requests, and with which keys. */
export interface RecordedService {
  readonly origin: string
  /** The origin of the receiver, which stands for the merchant's server. */
  readonly shop: string
  readonly secret_key: string
  readonly publishable_key: string
}

/** Sends the request of a step, and returns the status and the body of the response. */
export type SendStep = (
  step: ExampleStep,
  request: ExampleRequest,
  service: RecordedService,
) => Promise<{ readonly status: number; readonly text: string }>

interface PlayedService extends RecordedService {
  readonly send: SendStep
  now(): number
}

async function play(scenario: readonly ScenarioStep[], service: PlayedService, workers: Workers) {
  const known: Record<string, unknown> = {}
  const examples: RecordedExample[] = []
  for (const step of scenario) {
    if (!('route' in step)) await pass(step, known, service, workers)
    else {
      const example = await exampleOf(step, known, service)
      known[step.name] = example.body
      examples.push(example)
    }
    await workers.advanceTo(service.now() + STEP_SECONDS * 1000)
  }
  return examples
}

async function pass(step: Meanwhile, known: Known, service: PlayedService, workers: Workers): Promise<void> {
  if ('advance_seconds' in step) return workers.advanceTo(service.now() + step.advance_seconds * 1000)
  const [path, body] =
    'pays' in step
      ? [`payments/${step.pays(known)}/pay`, {}]
      : [`refund_requests/${step.completes_refund_request(known)}`, { status: 'completed' }]
  const { status } = await fetch(`${service.origin}/_local/${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  if (status !== 200) throw new Error(`POST /_local/${path} responded with ${status}`)
}

async function exampleOf(step: ExampleStep, known: Known, service: PlayedService): Promise<RecordedExample> {
  const { name, route, summary } = step
  const request = step.request?.(known) ?? {}
  const { status, text } = await service.send(step, request, service)
  const expected = step.status ?? 200
  if (status !== expected) throw new Error(`${name}: ${status} instead of ${expected}: ${text}`)
  return { name, route, summary, request, status, body: JSON.parse(text) }
}

/** Sends the request of a step with the secret key, and a body as JSON or as a form with a file. */
export const sendStep: SendStep = async ({ route }, request, { origin, shop, secret_key }) => {
  const [method, path] = route.split(' ') as [string, string]
  const target = path.replaceAll(/:(\w+)/g, (_, param: string) => request.params![param]!)
  const query = method === 'GET' && request.content ? `?${new URLSearchParams(textsOf(request.content))}` : ''
  const response = await fetch(origin + BASE_PATH + target + query, {
    method,
    redirect: 'manual',
    ...bodyOf(method, request, shop, { authorization: `Basic ${btoa(`${secret_key}:`)}`, ...request.headers }),
  })
  return { status: response.status, text: await response.text() }
}

const textsOf = (content: object): Record<string, string> =>
  Object.fromEntries(Object.entries(content).map(([name, value]) => [name, String(value)]))

function bodyOf(method: string, { content, file }: ExampleRequest, shop: string, headers: Record<string, string>) {
  if (file) {
    const body = new FormData()
    body.append('paper', new Blob([Buffer.from(file.text, 'latin1')], { type: file.type }), file.name)
    return { headers, body }
  }
  if (method === 'GET' || !content) return { headers }
  const body = JSON.stringify(content).replaceAll(`${SHOP}/webhooks`, `${shop}/webhooks`)
  return { headers: { ...headers, 'Content-Type': 'application/json' }, body }
}
