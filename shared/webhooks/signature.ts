import { createHmac } from 'node:crypto'
import type { Event } from '#shared/domain/event.ts'
import { standardKey } from '#shared/domain/signing-key.ts'
import { shownEvent } from '#shared/resources/shown-event.ts'

/** Returns the body of a delivery. The body depends only on the stored event, so every attempt sends the same bytes. */
export const bodyOf = (event: Event): string => JSON.stringify(shownEvent(event))

/**
 * The input of an attempt's headers. `secrets` has the current secret first. `sent_at` is the real time in epoch
 * milliseconds.
 */
export interface Signed {
  readonly delivery: string
  readonly event: Event
  readonly body: string
  readonly secrets: readonly string[]
  readonly sent_at: number
}

/**
 * Returns the headers of an attempt. `X-Service-ID` is the id of the delivery. `X-Service-Signature` is the hex
 * HMAC-SHA256 of the body with the current secret. The `webhook-` headers follow the Standard Webhooks specification,
 * with one signature for each valid secret. If a secret begins with `whsec_`, the key of its signature is the decoded
 * base64 after this prefix. Without a secret, the signature and the `webhook-` headers are absent.
 */
export function headersOf({ delivery, event, body, secrets, sent_at }: Signed): Record<string, string> {
  const headers = {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook',
    'X-Service-ID': delivery,
    'X-Service-Event': event.type,
    'X-Service-Sequence': String(event.about.version),
  }
  const [current] = secrets
  if (current === undefined) return headers
  const timestamp = String(Math.floor(sent_at / 1000))
  const signatures = secrets.map(
    (secret) => `v1,${hmac(standardKey(secret), `${delivery}.${timestamp}.${body}`).digest('base64')}`,
  )
  return {
    ...headers,
    'X-Service-Signature': hmac(current, body).digest('hex'),
    'webhook-id': delivery,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  }
}

const hmac = (secret: string | Buffer, text: string) => createHmac('sha256', secret).update(text)
