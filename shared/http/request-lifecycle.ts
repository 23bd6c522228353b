import middy from '@middy/core'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import { causeOf } from '#shared/domain/operation-progress.ts'
import type { Platform } from '#shared/platform/ports.ts'
import type { ServedRoute } from '#shared/routes.ts'
import { type Answer, fromUnknown, statusOf } from './answers.ts'
import { type ReadEvent, readBody } from './body.ts'
import { isFromListedAddress } from './firewall-verdict.ts'
import { requestId } from './request-id.ts'
import { traceOf } from './trace.ts'

/** The part of the platform that the lifecycle itself uses. */
export type LoggingPlatform = Pick<Platform, 'clock' | 'log'>

/**
 * The context of a request: the platform, the start of the request in epoch milliseconds, and what `admit` or `handle`
 * adds.
 */
export type RequestContext<C, P = Platform> = Context & { platform: P; began_at: number } & C

/** The parts of the request lifecycle in which endpoints, pages, pictures and documents differ. */
export interface Lifecycle<C, P extends LoggingPlatform = Platform> {
  readonly route: ServedRoute
  /** The platform of the function. */
  readonly platform: (context: object) => P
  /** Middleware that reads the body. Absent: `readBody`, which reads JSON, forms and multipart forms. */
  readonly reads?: middy.MiddlewareObj<ReadEvent>
  /** Admits the request or refuses it, before its body is read. */
  admit(event: APIGatewayProxyEvent, context: RequestContext<C, P>): void | Promise<void>
  handle(event: ReadEvent, context: RequestContext<C, P>): Promise<Answer>
  /** The response to an error. */
  answerError(error: unknown, event: APIGatewayProxyEvent, context: RequestContext<C, P>): Answer | Promise<Answer>
  /** The merchant for the log, once it is known. */
  merchantOf(context: RequestContext<C, P>): string | undefined
  /** The last change to every response. */
  finish?(answer: Answer): Answer
}

/**
 * Builds the Lambda handler of an endpoint, a page, a picture or a document. It admits the request, reads the body,
 * handles the request, turns an error into a response, and writes one log line. HEAD is answered as GET, without the
 * body.
 */
export function requestLifecycle<C extends object, P extends LoggingPlatform = Platform>(lifecycle: Lifecycle<C, P>) {
  // 0 turns off the early response of middy. Middy would send that response shortly before the timeout, while the
  // request still runs.
  return middy<APIGatewayProxyEvent, Answer, Error, RequestContext<C, P>, Internal>({ timeoutEarlyInMillis: 0 })
    .use(answersErrors(lifecycle))
    .use(readsHeadAsGet as Middleware<C, P>)
    .use(admits(lifecycle))
    .use(lifecycle.reads ? [lifecycle.reads] : readBody)
    .handler<APIGatewayProxyEvent>((event, context) => lifecycle.handle(event, context))
}

type Middleware<C, P> = middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, RequestContext<C, P>, Internal>

/** Whether the request is HEAD, which is handled as GET and answered without a body. */
type Internal = { is_head?: boolean }

const readsHeadAsGet: Middleware<object, LoggingPlatform> = {
  before({ event, internal }) {
    internal.is_head = event.httpMethod === 'HEAD'
    if (internal.is_head) event.httpMethod = 'GET'
  },
}

const admits = <C, P extends LoggingPlatform>({ platform, admit }: Lifecycle<C, P>): Middleware<C, P> => ({
  async before({ event, context }) {
    context.platform = await platform(context)
    context.began_at = context.platform.clock.now()
    await admit(event, context)
  },
})

function answersErrors<C, P extends LoggingPlatform>(lifecycle: Lifecycle<C, P>): Middleware<C, P> {
  const finish: Middleware<C, P>['after'] = async (request) => {
    const { event, context, response, error, internal } = request
    const answer = response ?? (await lifecycle.answerError(error, event, context))
    logRequest(lifecycle, { event, context, answer, error: response ? undefined : error })
    const finished = lifecycle.finish?.(answer) ?? answer
    return internal.is_head ? { ...finished, body: '', isBase64Encoded: false } : finished
  }
  return { after: finish, onError: finish }
}

interface Answered<C, P> {
  readonly event: APIGatewayProxyEvent
  readonly context: RequestContext<C, P>
  readonly answer: Answer
  readonly error: unknown
}

function logRequest<C, P extends LoggingPlatform>(
  { route, merchantOf }: Lifecycle<C, P>,
  { event, context, answer, error }: Answered<C, P>,
): void {
  const { platform, began_at } = context
  const cause = causeOf(error)
  // A page responds to an interrupted operation with a redirect, so the status alone does not reveal the failure.
  const has_failed = answer.statusCode >= 500 || (cause != null && statusOf[fromUnknown(cause).code] >= 500)
  platform?.log({
    level: has_failed ? 'error' : 'info',
    event: 'request',
    request_id: requestId(event),
    route,
    merchant: merchantOf(context),
    status: answer.statusCode,
    latency_ms: platform.clock.now() - began_at,
    ...(isFromListedAddress(event) && { listed_address: true }),
    ...(has_failed && traceOf(cause)),
  })
}
