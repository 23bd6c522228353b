import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { APIGatewayProxyEvent } from 'aws-lambda'

/** An HTTP request as API Gateway passes it to a function, with only the fields that functions read. */
export type GatewayEvent = Pick<
  APIGatewayProxyEvent,
  | 'httpMethod'
  | 'path'
  | 'headers'
  | 'multiValueHeaders'
  | 'multiValueQueryStringParameters'
  | 'pathParameters'
  | 'body'
  | 'isBase64Encoded'
> & { readonly requestContext: { readonly requestId: string; readonly path: string } }

/** Returns the event of a request and its whole body. As at API Gateway, the body is base64 for every content type. */
export function gatewayEvent(request: IncomingMessage, body: Buffer): GatewayEvent {
  const url = request.url ?? '/'
  const [path = '/', search = ''] = splitAt(url, '?')
  return {
    httpMethod: request.method ?? 'GET',
    path,
    headers: request.headers as Record<string, string>,
    multiValueHeaders: request.headersDistinct,
    multiValueQueryStringParameters: search ? parametersOf(search) : null,
    pathParameters: null,
    body: body.length > 0 ? body.toString('base64') : null,
    isBase64Encoded: body.length > 0,
    requestContext: { requestId: randomUUID(), path },
  }
}

function parametersOf(search: string): Record<string, string[]> {
  const parameters: Record<string, string[]> = Object.create(null)
  for (const [name, value] of new URLSearchParams(search)) {
    parameters[name] ??= []
    parameters[name].push(value)
  }
  return parameters
}

function splitAt(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
