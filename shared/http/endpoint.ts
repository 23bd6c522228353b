import middy from '@middy/core'
import type { APIGatewayProxyEvent, Context } from 'aws-lambda'
import type { GenericSchema } from 'valibot'
import { platformOf } from '#shared/platform/of.ts'
import type { Platform } from '#shared/platform/ports.ts'
import type { Route } from '#shared/routes.ts'
import { type Answer, errorAnswer, fromUnknown } from './answers.ts'
import { authenticate, type Caller } from './authentication.ts'
import { type ReadEvent, readBody } from './body.ts'
import { corsHeaders } from './cors.ts'
import { firewallRefusal, isFromListedAddress, oversizeRefusal } from './firewall-verdict.ts'
import { soleHeader } from './header.ts'
import { type Endpoint, perform } from './perform.ts'
import { requestId } from './request-id.ts'
import { traceOf } from './trace.ts'

/** The Lambda handler of one row of the API: what all of them share is here, and what is its own in `spec`. */
export function endpoint<R extends Route, S extends GenericSchema, A>(route: R, spec: Endpoint<R, S, A>) {
  // An answer of middy's own when time runs short would say that nothing happened, while the request goes on.
  return middy<APIGatewayProxyEvent, Answer, Error, Called>({ timeoutEarlyInMillis: 0 })
    .use(answersErrors(route))
    .use(authenticates(route, spec.platform ?? platformOf))
    .use((spec.reads ?? readBody) as unknown as middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called>)
    .handler((event, context) => perform(route, spec, event as unknown as ReadEvent, context))
}

type Called = Context & { platform: Platform; caller: Caller; began_at: number }

function authenticates(
  route: Route,
  platformFor: (context: object) => Platform,
): middy.MiddlewareObj<APIGatewayProxyEvent, Answer, Error, Called> {
  return {
    async before({ event, context }) {
      context.platform = await platformFor(context)
      context.began_at = context.platform.clock.now()
      const refusal = firewallRefusal(event) ?? oversizeRefusal(event)
      if (refusal) throw refusal
      const { table } = context.platform
      context.caller = await authenticate(table, soleHeader(event, 'authorization'), route, context.began_at)
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
      ...(isFromListedAddress(event) && { listed_address: true }),
      ...(answer.statusCode >= 500 && traceOf(error)),
    })
    return { ...answer, headers: { ...answer.headers, ...corsHeaders(route) } }
  }
  return { after: finish, onError: finish } as never
}
