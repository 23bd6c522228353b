import { randomUUID } from 'node:crypto'

/** Returns the id of a request for its response and its log entry: the request id of API Gateway, or a random UUID. */
export const requestId = (event: { requestContext?: { requestId?: string } }): string =>
  event.requestContext?.requestId ?? randomUUID()
