import type { GenericSchema } from 'valibot'
import { platformOf } from '#shared/platform/platform-of.ts'
import type { Route } from '#shared/routes.ts'
import { errorAnswer, fromUnknown } from './answers.ts'
import { authenticate, type Caller } from './authentication.ts'
import { corsHeaders } from './cors.ts'
import { firewallRefusal, oversizeRefusal } from './firewall-verdict.ts'
import { soleHeader } from './header.ts'
import { type Endpoint, perform } from './perform.ts'
import { requestLifecycle } from './request-lifecycle.ts'

/** What the API description needs to know about an endpoint: its row, and the schemas of its request and response. */
export interface EndpointDefinition {
  readonly route: Route
  readonly request: GenericSchema | undefined
  readonly response: GenericSchema
}

/**
 * Builds the Lambda handler of one endpoint of the API: it authenticates the caller and performs `spec`. The property
 * `definition` describes the endpoint; no request reads it.
 */
export function endpoint<R extends Route, S extends GenericSchema, A>(route: R, spec: Endpoint<R, S, A>) {
  const definition: EndpointDefinition = { route, request: spec.request, response: spec.returns.schema }
  const handler = requestLifecycle<{ caller: Caller }>({
    route,
    platform: spec.platform ?? platformOf,
    reads: spec.reads,
    async admit(event, context) {
      const refusal = firewallRefusal(event) ?? oversizeRefusal(event)
      if (refusal) throw refusal
      const { platform, began_at } = context
      context.caller = await authenticate(platform.table, soleHeader(event, 'authorization'), route, began_at)
    },
    handle: (event, context) => perform(route, spec, event, context),
    answerError: (error, event) => errorAnswer(fromUnknown(error), event),
    merchantOf: ({ caller }) => caller?.merchant,
    finish: (answer) => ({ ...answer, headers: { ...answer.headers, ...corsHeaders(route) } }),
  })
  return Object.assign(handler, { definition })
}
