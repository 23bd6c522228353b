import type { APIGatewayProxyEvent } from 'aws-lambda'
import { Refusal } from '#shared/domain/errors.ts'
import { localeOf } from '#shared/domain/locale.ts'
import { type Answer, errorAnswer } from '#shared/http/answers.ts'
import { isEncrypted } from '#shared/http/base-url.ts'
import { firewallRefusal } from '#shared/http/firewall-verdict.ts'
import { header } from '#shared/http/header.ts'
import { preferredLocale } from '#shared/http/locale.ts'
import { isPagePath, matchRoute, unknownPath } from '#shared/http/match-route.ts'
import { allowHeader, optionsAnswer } from '#shared/http/options.ts'
import { problemAnswer } from '#shared/http/page-answers.ts'

/** The part of API Gateway's event that the handler reads. */
type Request = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path' | 'headers' | 'multiValueQueryStringParameters'> & {
  requestContext: { requestId: string; path?: string; domainName?: string }
}

/**
 * Responds to `OPTIONS`, and to requests that no endpoint or page serves: with 404, or with 405 and the methods that
 * the path allows.
 */
export async function handler(request: Request): Promise<Answer> {
  const refusal = firewallRefusal(request)
  if (refusal) return refusalAnswer(request, refusal)
  const { httpMethod, path } = request
  const known = matchRoute(httpMethod, path)
  const allow = known && 'allow' in known ? known.allow : undefined
  if (!allow) return refusalAnswer(request, unknownPath())
  if (httpMethod === 'OPTIONS') return optionsAnswer(path, allow, request.requestContext.requestId)
  return refusalAnswer(
    request,
    new Refusal('method_not_allowed', { message: `This path allows ${allowHeader(allow)} only.` }),
    { Allow: allowHeader(allow) },
  )
}

/** Renders a refusal as JSON, or for the path of a page as a page in the customer's language. */
function refusalAnswer(request: Request, refusal: Refusal, added?: Readonly<Record<string, string>>) {
  const { path, headers, multiValueQueryStringParameters: query } = request
  if (!isPagePath(path)) return errorAnswer(refusal, request, added)
  const { requestId: request_id } = request.requestContext
  const locale = localeOf(query?.locale?.at(-1)) ?? preferredLocale(header(headers, 'accept-language'))
  return problemAnswer(refusal, { locale, request_id, is_encrypted: isEncrypted(request) }, added)
}
