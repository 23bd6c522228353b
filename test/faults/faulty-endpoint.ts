import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { startServer, stopServer } from '#test/fixtures/http-server.ts'
import { randomOf } from './random.ts'

/** An HTTP request of the AWS SDK. */
export interface AwsCall {
  /** The service and its operation, such as `DynamoDB_20120810.GetItem`. For S3 it is the method, such as `S3.PUT`. */
  readonly operation: string
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

export interface AwsAnswer {
  readonly status: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string
}

/**
 * What happens to a call. `throttled`, `broken` and `unavailable`: the call is refused with such an error. `cut`: it is
 * not done, and the connection is closed. `lost`: it is done, and the connection is closed before the response. `hung`:
 * it is not done and gets no response.
 */
export type CallFate = 'ok' | 'throttled' | 'broken' | 'unavailable' | 'cut' | 'lost' | 'hung'

/** An endpoint for the AWS SDK whose calls fail as `plan` says, below the retries of the SDK and of the ports. */
export interface FaultyEndpoint {
  readonly url: string
  /** Decides the fate of each call. The call waits for this decision. A test can replace the plan at any time. */
  plan: (operation: string) => CallFate | Promise<CallFate>
  /** The number of calls with each fate. */
  readonly met: Record<CallFate, number>
  stop(): Promise<void>
}

const none = (): Record<CallFate, number> => ({
  ...{ ok: 0, throttled: 0, broken: 0, unavailable: 0, cut: 0, lost: 0, hung: 0 },
})

/** Starts an endpoint on a free port. `answer` executes the calls that are done. */
export async function startFaultyEndpoint(answer: (call: AwsCall) => Promise<AwsAnswer>): Promise<FaultyEndpoint> {
  const serve = async (request: IncomingMessage, response: ServerResponse) => {
    const call = await callOf(request)
    const fate = await endpoint.plan(call.operation)
    endpoint.met[fate] += 1
    if (fate === 'hung') return
    const answered = fate === 'cut' ? undefined : (refusals[fate]?.(call.operation) ?? (await answer(call)))
    if (!answered || fate === 'lost') request.socket.destroy()
    else response.writeHead(answered.status, answered.headers).end(answered.body)
  }
  const server = createServer((request, response) => void serve(request, response).catch(() => response.destroy()))
  const endpoint: FaultyEndpoint = {
    url: await startServer(server),
    plan: () => 'ok',
    met: none(),
    stop: () => stopServer(server),
  }
  return endpoint
}

/** Returns a function that forwards calls to `upstream`. */
export function forwardedTo(upstream: string): (call: AwsCall) => Promise<AwsAnswer> {
  return async ({ method, path, headers: came, body }) => {
    const { host, connection, 'content-length': _, ...headers } = came
    const answer = await fetch(upstream + path, { method, headers, body: Uint8Array.from(body) })
    return { status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() }
  }
}

/** The fates of a call that fails without a hang. */
export const faults = ['throttled', 'broken', 'unavailable', 'cut', 'lost'] as const

/** Returns a plan in which on average one call in `calls` has a random fault. The same seed gives the same faults. */
export function oneIn(calls: number, seed: number): () => CallFate {
  const random = randomOf(seed)
  return () => (random() * calls < 1 ? faults[Math.floor(random() * faults.length)]! : 'ok')
}

async function callOf(request: IncomingMessage): Promise<AwsCall> {
  const { method = '', url: path = '' } = request
  const headers = request.headers as Record<string, string>
  const operation = headers['x-amz-target'] ?? `S3.${method}`
  return { operation, method, path, headers, body: Buffer.concat(await request.toArray()) }
}

const json = (status: number, code: string): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/x-amz-json-1.0' },
  body: JSON.stringify({ __type: code, message: '' }),
})

const xml = (status: number, code: string): AwsAnswer => ({
  status,
  headers: { 'content-type': 'application/xml' },
  body: `<Error><Code>${code}</Code><Message></Message></Error>`,
})

const isOf = (service: string, operation: string): boolean => operation.startsWith(service)

/** The errors of each fate, in the format of each service. */
const refusals: Partial<Record<CallFate, (operation: string) => AwsAnswer>> = {
  throttled(operation) {
    if (isOf('S3', operation)) return xml(503, 'SlowDown')
    if (isOf('AmazonSQS', operation)) return json(400, 'RequestThrottled')
    if (isOf('DynamoDB', operation)) return json(400, 'ProvisionedThroughputExceededException')
    return json(400, 'ThrottlingException')
  },
  broken: (operation) => (isOf('S3', operation) ? xml(500, 'InternalError') : json(500, 'InternalServerError')),
  unavailable: (operation) =>
    isOf('S3', operation) ? xml(503, 'ServiceUnavailable') : json(503, 'ServiceUnavailable'),
}
