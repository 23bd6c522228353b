import type middy from '@middy/core'
import { Refusal } from '#shared/domain/errors.ts'
import { platformOf } from '#shared/platform/platform-of.ts'
import type { Platform } from '#shared/platform/ports.ts'
import type { NotificationRoute } from '#shared/routes.ts'
import { errorAnswer, okAnswer } from './answers.ts'
import type { ReadEvent, RequestEvent } from './body.ts'
import { soleHeader } from './header.ts'
import { requestId } from './request-id.ts'
import { requestLifecycle } from './request-lifecycle.ts'

/** The largest notification, in bytes: 256 KB. */
const NOTIFICATION_BYTES_MAX = 262_144

/** The parts of a notification endpoint in which providers differ. */
export interface NotificationSpec {
  /** The header that holds the signature. */
  readonly signature: Lowercase<string>
  /** Verifies and stores the notification. `header` is undefined if the signature is missing or was sent twice. */
  receive(
    platform: Platform,
    notification: { readonly body: Uint8Array; readonly header: string | undefined },
  ): Promise<void>
}

/**
 * Builds the Lambda handler of an endpoint for the notifications of a provider. It needs no API key, because the
 * notification is signed, and serves no browsers. The body is passed on as the bytes that arrived. Every error that is
 * no refusal is a 500, so the provider sends the notification again.
 */
export function notification<R extends NotificationRoute>(route: R, { signature, receive }: NotificationSpec) {
  return requestLifecycle<object>({
    route,
    platform: platformOf,
    reads: readsBytes,
    admit: () => undefined,
    async handle(event, { platform }) {
      const { bytes } = event.body as { readonly bytes: Uint8Array }
      await receive(platform, { body: bytes, header: soleHeader(event, signature) })
      return okAnswer({ received: true }, requestId(event))
    },
    answerError: (error, event) =>
      errorAnswer(error instanceof Refusal ? error : new Refusal('internal_server_error'), event),
    merchantOf: () => undefined,
  })
}

const readsBytes: middy.MiddlewareObj<ReadEvent> = {
  async before(request) {
    const event: RequestEvent = request.event
    const bytes = Buffer.from(
      typeof event.body === 'string' ? event.body : '',
      event.isBase64Encoded ? 'base64' : 'utf8',
    )
    if (bytes.length > NOTIFICATION_BYTES_MAX) throw new Refusal('payload_too_large')
    request.event = { ...event, body: { bytes } }
  },
}
