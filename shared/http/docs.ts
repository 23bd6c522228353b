import { apiDescriptionText } from '#shared/docs/api-description.ts'
import { problemPage } from '#shared/docs/problem-page.ts'
import { showPage } from '#shared/docs/show-page.ts'
import { contentHashes } from '#shared/docs/site-page.ts'
import { loggingPlatform } from '#shared/platform/logging-platform.ts'
import { BASE_PATH, type DocumentRoute } from '#shared/routes.ts'
import { type Answer, errorAnswer, fromUnknown, statusOf } from './answers.ts'
import { type Arrived, baseUrl } from './base-url.ts'
import type { ReadEvent } from './body.ts'
import { firewallRefusal } from './firewall-verdict.ts'
import { requestId } from './request-id.ts'
import { type Lifecycle, type LoggingPlatform, requestLifecycle } from './request-lifecycle.ts'

/** How long caches may keep a document. After a deployment, a reader sees the new text within this time. */
const MAX_AGE_SECONDS = 300

/** The part of a request that a document depends on, besides its URL: behind a proxy, links begin with this scheme. */
const VARY = 'X-Forwarded-Proto'

/** The parts of a request that its response comes from. */
type Request = Arrived & { readonly requestContext: { readonly requestId?: string } }

/** Builds the Lambda handler of addresses that need no key: pages of the documentation, or the API description. */
export function document(
  route: DocumentRoute,
  {
    answer,
    answerError,
  }: Pick<Lifecycle<object, LoggingPlatform>, 'answerError'> & { answer(event: ReadEvent): Promise<Answer> },
) {
  return requestLifecycle<object, LoggingPlatform>({
    route,
    platform: loggingPlatform,
    admit(event) {
      const refusal = firewallRefusal(event)
      if (refusal) throw refusal
    },
    handle: answer,
    answerError,
    merchantOf: () => undefined,
  })
}

/** Responds with a page of the documentation, also to an unknown address and to a failure. */
export const docsAnswer = { answer: answerPage, answerError: answerWithPage }

/** Responds with the API description, and to a failure with the error envelope. */
export const apiDescriptionAnswer = {
  answer: async (event: ReadEvent): Promise<Answer> => ({
    statusCode: 200,
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
      Vary: VARY,
      'Access-Control-Allow-Origin': '*',
      'Cross-Origin-Resource-Policy': 'cross-origin',
      ...commonHeaders(event),
    },
    body: apiDescriptionText(baseUrl(event) + BASE_PATH),
    isBase64Encoded: false,
  }),
  answerError: (error: unknown, event: Request) => errorAnswer(fromUnknown(error), event),
}

async function answerPage(event: ReadEvent): Promise<Answer> {
  const { section, page } = event.pathParameters ?? {}
  const shown = await showPage({
    segments: [section, page].filter((segment) => segment !== undefined),
    is_root: event.path === '/',
    query: event.multiValueQueryStringParameters?.q?.at(-1) ?? '',
    site: { base_url: baseUrl(event), statusOf: (code) => statusOf[code] },
  })
  if ('see' in shown) return redirectAnswer(shown.see, event)
  return pageAnswer(shown.html, shown.is_found ? 200 : 404, event)
}

async function answerWithPage(error: unknown, event: Request): Promise<Answer> {
  const { code, message } = fromUnknown(error)
  const site = { base_url: baseUrl(event), statusOf: (other: typeof code) => statusOf[other] }
  return pageAnswer(await problemPage(site, { message, request_id: requestId(event) }), statusOf[code], event)
}

const redirectAnswer = (url: string, event: Request): Answer => ({
  statusCode: 302,
  headers: {
    Location: url,
    'Cache-Control': `public, max-age=${MAX_AGE_SECONDS}`,
    Vary: VARY,
    'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
    ...commonHeaders(event),
  },
  body: '',
  isBase64Encoded: false,
})

const pageAnswer = (body: string, status: number, event: Request): Answer => ({
  statusCode: status,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': status === 200 ? `public, max-age=${MAX_AGE_SECONDS}` : 'no-store',
    Vary: VARY,
    'Content-Security-Policy': policy(),
    'Referrer-Policy': 'same-origin',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
    ...commonHeaders(event),
  },
  body,
  isBase64Encoded: false,
})

const commonHeaders = (event: Request) => ({
  'X-Request-Id': requestId(event),
  'X-Content-Type-Options': 'nosniff',
  'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
})

/**
 * Returns the content security policy of a page. It allows the site's one style sheet and one script by their hashes: a
 * nonce would have to be new for each response, and caches repeat responses.
 */
function policy(): string {
  const { style, script } = contentHashes
  return [
    "default-src 'none'",
    `style-src '${style}'`,
    `script-src '${script}'`,
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
}
