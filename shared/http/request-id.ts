import { randomUUID } from 'node:crypto'

/** The id that a request is answered and logged under: the gateway's. */
export const requestId = (event: { requestContext?: { requestId?: string } }): string =>
  event.requestContext?.requestId ?? randomUUID()
