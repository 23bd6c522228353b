import type middy from '@middy/core'
import type { GenericSchema, InferOutput } from 'valibot'
import { Refusal } from '#shared/domain/errors.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { parse } from '#shared/resources/parse.ts'
import type { Params, Route } from '#shared/routes.ts'
import { type Change, refuseOversize } from '#shared/store/change.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { Work } from '#shared/store/work.ts'
import { type Answer, errorAnswer, foundAnswer, okAnswer } from './answers.ts'
import type { Caller } from './authentication.ts'
import { baseUrl } from './base-url.ts'
import type { ReadEvent } from './body.ts'
import { header } from './header.ts'
import { IdempotencyClaim, isKept } from './idempotency.ts'
import { requestId } from './request-id.ts'

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
  /** The platform of a row that needs more of it than most do. */
  readonly platform?: (context: object) => Platform
  /** Reads the body, where it is none of those that every other row takes. */
  readonly reads?: middy.MiddlewareObj<ReadEvent>
  /** What a merchant sees of the answer. */
  returns(answer: A): object
  /** Where the answer sends its client on to, with a 302; a row without answers with 200. */
  redirects?(answer: A): string
  /** Refuses with `forbidden` what the kind of API key may not do. It runs before any stored response is looked up. */
  authorize?(input: Input<R, InferOutput<S>>): void
  /** Reads what `run` will need first, together with what every request reads. */
  load?(input: Input<R, InferOutput<S>>): Promise<unknown>
  /** How often a request that loses races is tried before it is answered with 409; absent: five times. */
  readonly tries_max?: number
  /** Reads and decides; it commits nothing. It runs again when someone else was faster. */
  run(input: Input<R, InferOutput<S>>): Promise<Result<A>>
}

/**
 * Does what an authenticated request asks for: answers what is kept under its idempotency key, or runs the endpoint and
 * commits what it decides together with the answer, once more from the start when someone else was faster.
 */
export async function perform<R extends Route, S extends GenericSchema, A>(
  route: R,
  spec: Endpoint<R, S, A>,
  event: ReadEvent,
  { platform, caller }: { readonly platform: Platform; readonly caller: Caller },
): Promise<Answer> {
  const scenario = caller.mode === 'test' ? header(event.headers, 'x-service-scenario') : undefined
  const work = new Work({ platform, ...caller, base_url: baseUrl(event), scenario })
  const claim = claimOf(work, route, event)
  work.claim = claim
  try {
    return await startingOver(work, () => tryOnce(spec, event, work, claim), spec.tries_max)
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
  if (!(parsed instanceof Refusal)) spec.authorize?.(input(parsed))
  const [kept] = await Promise.all([claim?.read(), parsed instanceof Refusal ? undefined : spec.load?.(input(parsed))])
  if (kept) return { ...kept, headers: { ...okAnswer(null, requestId(event)).headers, ...kept.headers } }
  const { changes = [], answer } = parsed instanceof Refusal ? { answer: parsed } : await outcomeOf(spec, input(parsed))
  const rendered = render(spec, answer, requestId(event))
  await work.commit(changes, claim && isKept(rendered.statusCode) ? [claim.answered(rendered)] : [])
  if (rendered.statusCode >= 500) await claim?.release()
  return rendered
}

/** What a function can hand back: 6 MB, with the body as a text in JSON. */
const ANSWER_BYTES_MAX = 6_000_000

function render<R extends Route, S extends GenericSchema, A>(
  spec: Endpoint<R, S, A>,
  answer: A | Refusal,
  request_id: string,
): Answer {
  if (answer instanceof Refusal) return errorAnswer(answer, request_id)
  const ok = okAnswer(spec.returns(answer), request_id)
  const rendered = spec.redirects ? foundAnswer(ok, spec.redirects(answer)) : ok
  // A text grows no more than sixfold on the way, so that only a long one has to be measured.
  if (rendered.body.length * 6 < ANSWER_BYTES_MAX) return rendered
  if (Buffer.byteLength(JSON.stringify(rendered)) < ANSWER_BYTES_MAX) return rendered
  const message = 'The page is too large: ask for fewer records with per_page.'
  return errorAnswer(new Refusal('unprocessable_entity', { param: 'per_page', message }), request_id)
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
