import type { APIGatewayProxyEvent } from 'aws-lambda'
import { Refusal } from '#shared/domain/errors.ts'
import { type Answer, errorAnswer } from '#shared/http/answers.ts'
import { matchRoute } from '#shared/http/match-route.ts'
import { optionsAnswer } from '#shared/http/options.ts'

/** What it needs of API Gateway's event. */
type Request = Pick<APIGatewayProxyEvent, 'httpMethod' | 'path'> & { requestContext: { requestId: string } }

/** Answers whatever no row serves: 404, 405 with the methods that the path allows, and OPTIONS. */
export async function handler({ httpMethod, path, requestContext }: Request): Promise<Answer> {
  const { requestId } = requestContext
  const known = matchRoute(httpMethod, path)
  if (!known || !('allow' in known)) {
    return errorAnswer(new Refusal('not_found', { message: 'There is no such endpoint.' }), requestId)
  }
  if (httpMethod === 'OPTIONS') return optionsAnswer(path, known.allow, requestId)
  return errorAnswer(new Refusal('method_not_allowed'), requestId, { Allow: known.allow.join(', ') })
}
