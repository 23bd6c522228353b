import { randomUUID } from 'node:crypto'
import middy from '@middy/core'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import type { GenericSchema, InferOutput } from 'valibot'
import { Refusal } from '#shared/domain/errors.ts'
import { platformOf } from '#shared/platform/of.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import type { Params, Route } from '#shared/routes.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { type Change, refuseOversize, Work } from '#shared/store/work.ts'
import { type Answer, errorAnswer, fromUnknown, okAnswer } from './answers.ts'
import { authenticate, type Caller } from './authentication.ts'
import { type ReadEvent, readBody } from './body.ts'
import { corsHeaders } from './cors.ts'
import { header } from './header.ts'
import { IdempotencyClaim, isKept } from './idempotency.ts'

/** What a handler is given. */
export interface Input<R extends Route, Q> {
  readonly params: Params<R>
  /** The request's parameters, checked and typed. */
  readonly request: Q
  readonly work: Work
  /** Epoch milliseconds. */
  readonly now: number
}

/** What a handler decides: what is to change, and what the merchant is told of it, be it a refusal. */
export interface Result<A> {
  readonly changes?: readonly Change[]
  readonly answer: A | Refusal
}

/** One row of the API: how its request looks, what it answers, and what it does. */
export interface Endpoint<R extends Route, S extends GenericSchema, A> {
  readonly request?: S
  /** What a merchant sees of the answer. */
  returns(answer: A): object
  /** Reads what `run` will need first, together with what every request reads. */
  load?(input: Input<R, InferOutput<S>>): Promise<unknown>
  /** Reads and decides; it commits nothing. It runs again when someone else was faster. */
  run(input: Input<R, InferOutput<S>>): Promise<Result<A>>
}

/** The Lambda handler of one row of the API: what all of them share is here, and what is its own in `spec`. */
export function endpoint<R extends Route, S extends GenericSchema, A>(route: R, spec: Endpoint<R, S, A>) {
  return middy<APIGatewayProxyEvent, Answer, Error, Called>()
    .use(answersErrors(route))
    .use(authenticates(route))
    .use(readBody as unknown as middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called>)
    .handler((event, context) => perform(route, spec, event as unknown as ReadEvent, context))
}

type Called = Context & { platform: Platform; caller: Caller; began_at: number }

function authenticates(route: Route): middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called> {
  return {
    async before({ event, context }) {
      context.platform = await platformOf(context)
      context.began_at = context.platform.clock.now()
      const { table } = context.platform
      context.caller = await authenticate(table, header(event.headers, 'authorization'), route, context.began_at)
    },
  }
}

/** Every error becomes an answer here, and every request a line of the log. */
function answersErrors(route: Route): middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called> {
  const finish: middy.MiddlewareFn<APIGatewayProxyEvent, Answer, Error, Called> = ({
    event,
    context,
    response,
    error,
  }) => {
    const request_id = requestId(event)
    const answer = response ?? errorAnswer(fromUnknown(error), request_id)
    const { platform, caller, began_at } = context
    platform?.log({
      level: answer.statusCode < 500 ? 'info' : 'error',
      event: 'request',
      request_id,
      route,
      merchant: caller?.merchant,
      status: answer.statusCode,
      latency_ms: platform.clock.now() - began_at,
      ...(answer.statusCode >= 500 && traceOf(error)),
    })
    return { ...answer, headers: { ...answer.headers, ...corsHeaders(route) } }
  }
  return { after: finish, onError: finish } as never
}

async function perform<R extends Route, S extends GenericSchema, A>(
  route: R,
  spec: Endpoint<R, S, A>,
  event: ReadEvent,
  { platform, caller }: Called,
): Promise<Answer> {
  const scenario = caller.mode === 'test' ? header(event.headers, 'x-service-scenario') : undefined
  const work = new Work({ platform, ...caller, base_url: baseUrl(event), scenario })
  const claim = claimOf(work, route, event)
  work.claim = claim
  try {
    return await startingOver(work, () => tryOnce(spec, event, work, claim))
  } catch (error) {
    await claim?.release().catch(() => undefined)
    throw work.begun ? unknownOutcome(work.begun.payment, error) : error
  }
}

/**
 * What is thrown once an operation is out at the acquirer. It was not refused, whatever went wrong behind it: told of a
 * conflict, a merchant would do it again.
 */
function unknownOutcome(payment: string, cause: unknown): unknown {
  if (cause instanceof Refusal) return cause
  return Object.assign(new Refusal('gateway_timeout', { details: { payment } }), { stack: (cause as Error)?.stack })
}

async function tryOnce<R extends Route, S extends GenericSchema, A>(
  spec: Endpoint<R, S, A>,
  event: ReadEvent,
  work: Work,
  claim: IdempotencyClaim | undefined,
): Promise<Answer> {
  const parsed = refusalOr(() => (spec.request ? parse(spec.request, event.body) : {}) as InferOutput<S>)
  const input = (request: InferOutput<S>) => ({ params: paramsOf<R>(event), request, work, now: work.now() })
  const [kept] = await Promise.all([claim?.read(), parsed instanceof Refusal ? undefined : spec.load?.(input(parsed))])
  if (kept) return { ...kept, headers: { ...okAnswer(null, requestId(event)).headers, ...kept.headers } }
  const { changes = [], answer } = parsed instanceof Refusal ? { answer: parsed } : await outcomeOf(spec, input(parsed))
  const rendered =
    answer instanceof Refusal ? errorAnswer(answer, requestId(event)) : okAnswer(spec.returns(answer), requestId(event))
  await work.commit(changes, claim && isKept(rendered.statusCode) ? [claim.answered(rendered)] : [])
  if (rendered.statusCode >= 500) await claim?.release()
  return rendered
}

async function outcomeOf<R extends Route, S extends GenericSchema, A>(
  spec: Endpoint<R, S, A>,
  input: Input<R, InferOutput<S>>,
): Promise<Result<A>> {
  try {
    const result = await spec.run(input)
    refuseOversize(result.changes ?? [])
    return result
  } catch (error) {
    if (error instanceof Refusal) return { answer: error }
    throw error
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

function claimOf(work: Work, route: Route, event: ReadEvent): IdempotencyClaim | undefined {
  const key = header(event.headers, 'idempotency-key')
  if (key === undefined || !/^(POST|PATCH) /.test(route)) return undefined
  if (!/^[\x20-\x7e]{1,255}$/.test(key))
    throw new Refusal('invalid_parameter', {
      param: 'Idempotency-Key',
      message: 'An idempotency key has 1 to 255 printable characters.',
    })
  return new IdempotencyClaim(work, key, { route, params: event.pathParameters ?? {}, body: event.body })
}

const paramsOf = <R extends Route>(event: ReadEvent) => (event.pathParameters ?? {}) as Params<R>

const requestId = (event: { requestContext?: { requestId?: string } }): string =>
  event.requestContext?.requestId ?? randomUUID()

/** Where the request came to, without the API's own path: `https://host`, and the stage where it is part of the path. */
function baseUrl({ headers, requestContext, path }: ReadEvent): string {
  const scheme = header(headers, 'x-forwarded-proto') ?? 'http'
  const stage = (requestContext.path ?? path).slice(0, -path.length)
  return `${scheme}://${header(headers, 'host') ?? 'localhost'}${stage}`
}

function traceOf(error: unknown): { error?: string; stack?: string[] } {
  if (!(error instanceof Error)) return {}
  const frames = (error.stack ?? '').split('\n').filter((line) => line.startsWith('    at '))
  return { error: error.name, stack: frames.slice(0, 8).map((line) => line.trim()) }
}
