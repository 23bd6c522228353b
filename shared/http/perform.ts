import type middy from '@middy/core'
import type { GenericSchema, InferOutput } from 'valibot'
import { Refusal } from '#shared/domain/errors.ts'
import { keepingProgress, OperationInterrupted, type OperationProgress } from '#shared/domain/operation-progress.ts'
import { type Scenario, scenarios } from '#shared/domain/scenario.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import type { View } from '#shared/resources/view.ts'
import type { Params, Route } from '#shared/routes.ts'
import { type Change, refuseOversize } from '#shared/store/change.ts'
import type { OperationContext } from '#shared/store/operation-lease.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { type Answer, errorAnswer, foundAnswer, okAnswer } from './answers.ts'
import type { Caller } from './authentication.ts'
import { baseUrl } from './base-url.ts'
import type { ReadEvent } from './body.ts'
import { header } from './header.ts'
import { IdempotencyLease, isKept } from './idempotency.ts'
import { ignoredHeader } from './ignored-header.ts'
import { requestId } from './request-id.ts'

/** The input of an endpoint's handler. */
export interface Input<R extends Route, Q> {
  readonly params: Params<R>
  /** The parameters of the request, validated and typed. */
  readonly request: Q
  readonly work: UnitOfWork
  /** The progress that an operation at the acquirer continues from, and the lease on the idempotency key. */
  readonly operation: OperationContext
  /** Epoch milliseconds. */
  readonly now: number
}

/** The decision of a handler: the changes to commit, and the result or refusal. An operation adds its progress. */
export interface Result<A> {
  readonly changes?: readonly Change[]
  readonly answer: A | Refusal
  readonly progress?: OperationProgress
}

/** One endpoint of the API: the schema of its request, its response, and its behavior. */
export interface Endpoint<R extends Route, S extends GenericSchema, A> {
  readonly request?: S
  /** The platform of an endpoint that needs more than the default platform. */
  readonly platform?: (context: object) => Platform
  /** Middleware that reads the body. Absent: `readBody`, which reads JSON, forms and multipart forms. */
  readonly reads?: middy.MiddlewareObj<ReadEvent>
  /** Returns the response body that a merchant sees, which its schema describes. */
  readonly returns: View<readonly [answer: A], GenericSchema<object>>
  /** Returns the URL that a 302 sends the client to. Absent: the response is a 200. */
  redirects?(answer: A): string
  /**
   * Refuses with `forbidden` a request that this kind of API key may not make. The check runs before any stored
   * response is looked up.
   */
  authorize?(input: Input<R, InferOutput<S>>): void
  /** Reads the records that `run` needs first, in parallel with the look-up of the idempotency key. */
  load?(input: Input<R, InferOutput<S>>): Promise<unknown>
  /** The most tries of a request whose version checks fail. After that, the response is 409. Absent: five. */
  readonly tries_max?: number
  /** Reads records and decides, but commits nothing. Runs again if a version check fails. */
  run(input: Input<R, InferOutput<S>>): Promise<Result<A>>
}

/**
 * Performs an authenticated request: replays the response that is stored under the idempotency key, or runs the
 * endpoint and commits the changes together with the response. A failed version check starts the endpoint again. In
 * test mode, a header of the response names the parameters that the endpoint does not read.
 */
export async function perform<R extends Route, S extends GenericSchema, A>(
  route: R,
  spec: Endpoint<R, S, A>,
  event: ReadEvent,
  { platform, caller }: { readonly platform: Platform; readonly caller: Caller },
): Promise<Answer> {
  const scenario = caller.mode === 'test' ? scenarioOf(event) : undefined
  const work = new UnitOfWork({ platform, ...caller, base_url: baseUrl(event), scenario })
  const lease = leaseOf(work, route, event)
  try {
    const answer = await retryOnConflict(
      work,
      (progress) => tryOnce(spec, event, work, { progress, lease }),
      spec.tries_max,
    )
    if (caller.mode === 'live') return answer
    return { ...answer, headers: { ...answer.headers, ...ignoredHeader(spec.request, event.body) } }
  } catch (error) {
    await lease?.release().catch(() => undefined)
    throw error instanceof OperationInterrupted ? unknownOutcome(error) : error
  }
}

/**
 * Returns the error that the merchant gets after an operation was interrupted. A refusal is returned unchanged. Any
 * other cause becomes `gateway_timeout` with the id of the payment, because a 409 or 503 would make the merchant
 * request the operation again.
 */
function unknownOutcome({ cause, progress: { payment } }: OperationInterrupted): unknown {
  if (cause instanceof Refusal) return cause
  return Object.assign(new Refusal('gateway_timeout', { details: { payment } }), { stack: (cause as Error)?.stack })
}

async function tryOnce<R extends Route, S extends GenericSchema, A>(
  spec: Endpoint<R, S, A>,
  event: ReadEvent,
  work: UnitOfWork,
  { progress, lease }: OperationContext & { readonly lease?: IdempotencyLease },
): Promise<Answer> {
  const parsed = refusalOr(() => (spec.request ? parse(spec.request, event.body) : {}) as InferOutput<S>)
  const input = (request: InferOutput<S>, from = progress): Input<R, InferOutput<S>> => ({
    params: paramsOf<R>(event),
    request,
    work,
    operation: { progress: from, lease },
    now: work.now(),
  })
  if (!(parsed instanceof Refusal)) spec.authorize?.(input(parsed))
  const load = parsed instanceof Refusal ? undefined : spec.load?.(input(parsed))
  const [stored = {}] = await Promise.all([lease?.read(), load, work.readTestClock()])
  if (stored.answer) return replayed(stored.answer, requestId(event))
  const current = stored.begun ? ({ state: 'begun', ...stored.begun } as const) : progress
  const result: Result<A> =
    parsed instanceof Refusal ? { answer: parsed } : await resultOf(spec, input(parsed, current))
  const rendered = render(spec, result.answer, event)
  const writes = lease && isKept(rendered.statusCode) ? [lease.answered(rendered)] : []
  await keepingProgress(result.progress ?? current, () => work.commit(result.changes ?? [], writes))
  if (rendered.statusCode >= 500) await lease?.release().catch(() => undefined)
  return rendered
}

/** A stored response, with the headers of this request. */
const replayed = (answer: Answer, request_id: string): Answer => ({
  ...answer,
  headers: { ...okAnswer(null, request_id).headers, ...answer.headers },
})

/** The largest response of a function, in bytes: 6 MB, with the body as text in JSON. */
const ANSWER_BYTES_MAX = 6_000_000

function render<R extends Route, S extends GenericSchema, A>(
  spec: Endpoint<R, S, A>,
  answer: A | Refusal,
  event: ReadEvent,
): Answer {
  if (answer instanceof Refusal) return errorAnswer(answer, event)
  const ok = okAnswer(spec.returns(answer), requestId(event))
  const rendered = spec.redirects ? foundAnswer(ok, spec.redirects(answer)) : ok
  // A character takes at most six bytes in JSON, so only a long body has to be measured.
  if (rendered.body.length * 6 < ANSWER_BYTES_MAX) return rendered
  if (Buffer.byteLength(JSON.stringify(rendered)) < ANSWER_BYTES_MAX) return rendered
  const message = 'The page is too large: ask for fewer records with per_page.'
  return errorAnswer(new Refusal('unprocessable_entity', { param: 'per_page', message }), event)
}

/** Returns the result of the handler. A thrown refusal becomes a result, even after an operation began. */
async function resultOf<R extends Route, S extends GenericSchema, A>(
  spec: Endpoint<R, S, A>,
  input: Input<R, InferOutput<S>>,
): Promise<Result<A>> {
  try {
    const result = await keepingProgress(input.operation.progress, () => spec.run(input))
    refuseOversize(result.changes ?? [])
    return result
  } catch (error) {
    if (error instanceof Refusal) return { answer: error }
    if (!(error instanceof OperationInterrupted && error.cause instanceof Refusal)) throw error
    return { answer: error.cause, progress: error.progress }
  }
}

function refusalOr<T>(parsing: () => T): T | Refusal {
  try {
    return parsing()
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
}

function scenarioOf({ headers }: ReadEvent): Scenario | undefined {
  const sent = header(headers, 'x-service-scenario')
  const scenario = scenarios.find((name) => name === sent)
  if (sent === undefined || scenario) return scenario
  throw new Refusal('invalid_parameter', {
    param: 'X-Service-Scenario',
    message: `The header X-Service-Scenario must be one of ${scenarios.join(', ')}. Leave it out for the usual outcome.`,
  })
}

function leaseOf(work: UnitOfWork, route: Route, event: ReadEvent): IdempotencyLease | undefined {
  const key = header(event.headers, 'idempotency-key')
  if (key === undefined || !/^(POST|PATCH) /.test(route)) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal('invalid_parameter', {
      param: 'Idempotency-Key',
      message: 'The header Idempotency-Key must have 1 to 255 printable ASCII characters, such as a UUID.',
    })
  return new IdempotencyLease(work, key, { route, params: event.pathParameters ?? {}, body: event.body })
}

const paramsOf = <R extends Route>(event: ReadEvent) => (event.pathParameters ?? {}) as Params<R>
