import { createHmac } from 'node:crypto'
import type { Event } from '#shared/domain/event.ts'
import { event as shownEvent } from '#shared/resources/event.ts'

/** The body of a delivery. It is made of what is kept alone, so it is the same bytes at every attempt. */
export const bodyOf = (event: Event): string => JSON.stringify(shownEvent(event))

/** What the headers of an attempt are made from. `secrets`: the current one first; `now` in epoch milliseconds. */
export interface Signed {
  readonly delivery: string
  readonly event: Event
  readonly body: string
  readonly secrets: readonly string[]
  readonly now: number
}

/**
 * The headers of an attempt (reference, *Delivery* and *Authentication*): the id of the delivery, the hex HMAC-SHA256 of
 * the body under the current secret, and for receivers that follow the Standard Webhooks those as well, signed with
 * every secret that is valid.
 */
export function headersOf({ delivery, event, body, secrets, now }: Signed): Record<string, string> {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook',
    'X-Service-ID': delivery,
    'X-Service-Event': event.type,
    'X-Service-Sequence': String(event.about.version),
  }
  const [current] = secrets
  if (current === undefined) return headers
  const timestamp = String(Math.floor(now / 1000))
  const signatures = secrets.map((secret) => `v1,${hmac(secret, `${delivery}.${timestamp}.${body}`).digest('base64')}`)
  return {
    ...headers,
    'X-Service-Signature': hmac(current, body).digest('hex'),
    'webhook-id': delivery,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const hmac = (secret: string, text: string) => createHmac('sha256', secret).update(text)
