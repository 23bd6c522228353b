import type { APIGatewayProxyEvent } from 'aws-lambda'
import { Refusal } from '#shared/domain/errors.ts'
import { type Answer, errorAnswer } from '#shared/http/answers.ts'
import { header } from '#shared/http/header.ts'
import { localeOf, preferredLocale } from '#shared/http/locale.ts'
import { isPagePath, matchRoute } from '#shared/http/match-route.ts'
import { optionsAnswer } from '#shared/http/options.ts'
import { problemAnswer } from '#shared/http/page-answers.ts'

/** What it needs of API Gateway's event. */
type Request = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path' | 'headers' | 'multiValueQueryStringParameters'> & {
  requestContext: { requestId: string }
}

/** Answers whatever no row serves and no page: 404, 405 with the methods that the path allows, and OPTIONS. */
export async function handler(request: Request): Promise<Answer> {
  const { httpMethod, path, headers, multiValueQueryStringParameters: query } = request
  const { requestId } = request.requestContext
  const known = matchRoute(httpMethod, path)
  const allow = known && 'allow' in known ? known.allow : undefined
  if (allow && httpMethod === 'OPTIONS') return optionsAnswer(path, allow, requestId)
  const code = allow ? 'method_not_allowed' : 'not_found'
  const allowed = allow && { Allow: allow.join(', ') }
  if (isPagePath(path)) {
    const locale = localeOf(query?.locale?.at(-1)) ?? preferredLocale(header(headers, 'accept-language'))
    return problemAnswer(new Refusal(code), { locale, request_id: requestId }, allowed)
  }
  const message = allow ? undefined : 'There is no such endpoint.'
  return errorAnswer(new Refusal(code, { message }), requestId, allowed)
}
