import { Refusal } from '#shared/domain/errors.ts'
import type { Params, PictureRoute } from '#shared/routes.ts'
import { type Answer, errorAnswer, fromUnknown } from './answers.ts'
import { firewallRefusal } from './firewall-verdict.ts'
import { requestId } from './request-id.ts'
import { requestLifecycle } from './request-lifecycle.ts'

const DAY_SECONDS = 86_400

/** The input of a picture: the parameters of its path, and the values of the query. */
export interface PictureInput<R extends PictureRoute> {
  readonly params: Params<R>
  readonly query: Readonly<Record<string, readonly string[]>>
}

/**
 * Builds the Lambda handler of a picture. `draw` returns SVG, or undefined for 404. Pages of any site may show the
 * picture, and caches keep it for a day.
 */
export function picture<R extends PictureRoute>(route: R, draw: (input: PictureInput<R>) => string | undefined) {
  return requestLifecycle<object>({
    route,
    admit(event) {
      const refusal = firewallRefusal(event)
      if (refusal) throw refusal
    },
    async handle(event) {
      const query = (event.multiValueQueryStringParameters ?? {}) as PictureInput<R>['query']
      const svg = draw({ params: event.pathParameters as Params<R>, query })
      if (svg === undefined) throw new Refusal('not_found')
      return svgAnswer(svg, requestId(event))
    },
    answerError: (error, event) => errorAnswer(fromUnknown(error), event),
    merchantOf: () => undefined,
  })
}

const svgAnswer = (body: string, request_id: string): Answer => ({
  statusCode: 200,
  headers: {
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': `public, max-age=${DAY_SECONDS}`,
    'X-Request-Id': request_id,
    'X-Content-Type-Options': 'nosniff',
    // A browser that opens the picture as a document runs and loads nothing.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Access-Control-Allow-Origin': '*',
    'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
  },
  body,
  isBase64Encoded: false,
})
