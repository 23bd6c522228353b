import { randomBytes } from 'node:crypto'
import type { ErrorCode, Refusal } from '#shared/domain/errors.ts'
import type { Locale } from '#shared/domain/session.ts'
import { document } from '#shared/pages/document.ts'
import type { HtmlPage, PageFrame } from '#shared/pages/html-page.ts'
import { problemPage } from '#shared/pages/problem-page.ts'
import { type Answer, statusOf } from './answers.ts'

/** Returns a page as the response to a browser. `frame` states the shop, and whether the connection is encrypted. */
export async function pageAnswer(page: HtmlPage, request_id: string, frame?: PageFrame): Promise<Answer> {
  const nonce = randomBytes(16).toString('base64')
  return {
    statusCode: page.status ?? 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      ...headersOf(nonce, request_id),
      ...(page.refresh && { Refresh: `${page.refresh.seconds};url=${page.refresh.href}` }),
    },
    body: await document(page, nonce, frame),
    isBase64Encoded: false,
  }
}

/** A text that a browser saves as a file, or opens in an app. */
export interface SavedFile {
  /** Letters, digits, hyphens and dots, because the name stands in a header. */
  readonly name: string
  readonly content_type: string
  readonly text: string
}

/** Returns a file as the response to a browser. */
export function fileAnswer({ name, content_type, text }: SavedFile, request_id: string): Answer {
  const nonce = randomBytes(16).toString('base64')
  return {
    statusCode: 200,
    headers: {
      'Content-Type': content_type,
      'Content-Disposition': `attachment; filename="${name}"`,
      ...headersOf(nonce, request_id),
    },
    body: text,
    isBase64Encoded: false,
  }
}

/** Returns a 303 that sends a browser to another of our pages, with GET. */
export function seeAnswer(url: string, request_id: string): Answer {
  const nonce = randomBytes(16).toString('base64')
  return {
    statusCode: 303,
    headers: { Location: url, ...headersOf(nonce, request_id) },
    body: '',
    isBase64Encoded: false,
  }
}

type Problem = Parameters<typeof problemPage>[0]['problem']

/** Returns the problem of an error code that `problems` does not list: `unreadable` below 500, else `internal`. */
const otherwise = (code: ErrorCode): { problem: Problem; status: number } =>
  statusOf[code] < 500 ? { problem: 'unreadable', status: statusOf[code] } : { problem: 'internal', status: 500 }

/** The problem that a customer sees for an error code, and its HTTP status. */
const problems: Readonly<Partial<Record<ErrorCode, { problem: Problem; status: number }>>> = {
  bad_request: { problem: 'unreadable', status: 400 },
  forbidden: { problem: 'forbidden', status: 403 },
  not_found: { problem: 'not_found', status: 404 },
  method_not_allowed: { problem: 'not_found', status: 405 },
  conflict: { problem: 'conflict', status: 409 },
  payload_too_large: { problem: 'too_large', status: 413 },
  unsupported_media_type: { problem: 'unreadable', status: 415 },
  service_unavailable: { problem: 'unavailable', status: 503 },
  gateway_timeout: { problem: 'unavailable', status: 503 },
}

/** What the page of a problem depends on besides the problem. */
interface ProblemContext extends PageFrame {
  readonly locale: Locale
  readonly request_id: string
  /** The URL of the page that shows the current state. */
  readonly again_url?: string
}

/** Returns a refusal as a page that states the problem in the customer's language. `headers` are added. */
export async function problemAnswer(
  { code }: Refusal,
  { locale, request_id, again_url, ...frame }: ProblemContext,
  headers?: Readonly<Record<string, string>>,
): Promise<Answer> {
  const { problem, status } = problems[code] ?? otherwise(code)
  const page = problemPage({ locale, problem, request_id, ...(again_url && { again_url }) })
  const answer = await pageAnswer({ ...page, status }, request_id, frame)
  const wait = status === 503 && { 'Retry-After': '5' }
  return { ...answer, headers: { ...answer.headers, ...wait, ...headers } }
}

/**
 * Returns the headers of every page. The headers forbid caches, framing by any site, and styles and scripts without the
 * nonce.
 */
function headersOf(nonce: string, request_id: string): Readonly<Record<string, string>> {
  const policy = [
    "default-src 'none'",
    `style-src 'nonce-${nonce}'`,
    `script-src 'nonce-${nonce}'`,
    // The icon of a page without a logo is inside the page.
    "img-src 'self' data:",
    // The scripts of pages send forms, and look up whether a payment has arrived.
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ]
  return {
    'Cache-Control': 'no-store',
    'X-Request-Id': request_id,
    'Content-Security-Policy': policy.join('; '),
    'Strict-Transport-Security': 'max-age=63072000; includeSubDomains',
    // With `no-referrer`, browsers would send our own forms with `Origin: null`.
    'Referrer-Policy': 'same-origin',
    'X-Content-Type-Options': 'nosniff',
    'X-Frame-Options': 'DENY',
    'Cross-Origin-Opener-Policy': 'same-origin',
    'Cross-Origin-Resource-Policy': 'same-origin',
    'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=()',
  }
}
