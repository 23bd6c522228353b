import { Refusal } from '#shared/domain/errors.ts'
import { platformOf } from '#shared/platform/platform-of.ts'
import type { Platform } from '#shared/platform/ports.ts'
import type { Params, PictureRoute } from '#shared/routes.ts'
import { type Answer, errorAnswer, fromUnknown } from './answers.ts'
import { firewallRefusal } from './firewall-verdict.ts'
import { requestId } from './request-id.ts'
import { requestLifecycle } from './request-lifecycle.ts'

const DAY_SECONDS = 86_400

/** How long caches keep a picture that never changes: a year. */
const YEAR_SECONDS = 365 * DAY_SECONDS

/** The input of a picture: the parameters of its path, and the values of the query. */
export interface PictureInput<R extends PictureRoute> {
  readonly params: Params<R>
  readonly query: Readonly<Record<string, readonly string[]>>
  readonly platform: Platform
}

/** An image that a merchant uploaded. Its path never shows another image. */
export interface UploadedImage {
  readonly bytes: Uint8Array
  readonly mime_type: string
}

/** The SVG of a picture, or an uploaded image; undefined if there is no such picture. */
type Drawn = string | UploadedImage | undefined

/** The parts of a picture in which pictures differ. */
export interface PictureSpec<R extends PictureRoute> {
  /** The platform of a picture that needs more than the default platform. */
  readonly platform?: (context: object) => Platform
  draw(input: PictureInput<R>): Drawn | Promise<Drawn>
}

/**
 * Builds the Lambda handler of a picture. The response is 404 if `draw` returns undefined. Pages of any site may show
 * the picture. Caches keep SVG for a day, and an uploaded image for a year.
 */
export function picture<R extends PictureRoute>(route: R, { platform = platformOf, draw }: PictureSpec<R>) {
  return requestLifecycle<object>({
    route,
    platform,
    admit(event) {
      const refusal = firewallRefusal(event)
      if (refusal) throw refusal
    },
    async handle(event, context) {
      const query = (event.multiValueQueryStringParameters ?? {}) as PictureInput<R>['query']
      const drawn = await draw({ params: event.pathParameters as Params<R>, query, platform: context.platform })
      if (drawn === undefined) throw new Refusal('not_found')
      return typeof drawn === 'string' ? svgAnswer(drawn, requestId(event)) : imageAnswer(drawn, requestId(event))
    },
    answerError: (error, event) => errorAnswer(fromUnknown(error), event),
    merchantOf: () => undefined,
  })
}

const svgAnswer = (body: string, request_id: string): Answer => ({
  statusCode: 200,
  headers: {
    ...headersOf(request_id),
    'Content-Type': 'image/svg+xml; charset=utf-8',
    'Cache-Control': `public, max-age=${DAY_SECONDS}`,
  },
  body,
  isBase64Encoded: false,
})

const imageAnswer = ({ bytes, mime_type }: UploadedImage, request_id: string): Answer => ({
  statusCode: 200,
  headers: {
    ...headersOf(request_id),
    'Content-Type': mime_type,
    'Cache-Control': `public, max-age=${YEAR_SECONDS}, immutable`,
  },
  body: Buffer.from(bytes).toString('base64'),
  isBase64Encoded: true,
})

const headersOf = (request_id: string): Readonly<Record<string, string>> => ({
  'X-Request-Id': request_id,
  'X-Content-Type-Options': 'nosniff',
  // A browser that opens the picture as a document runs and loads nothing.
  'Content-Security-Policy': "default-src 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Access-Control-Allow-Origin': '*',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
})
