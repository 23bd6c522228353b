import { createHmac, timingSafeEqual } from 'node:crypto'

/** The longest time between a signature and its verification, in seconds, in the past and in the future. */
export const TOLERANCE_SECONDS = 300

/** A notification as it arrived: the bytes of its body, and the header `Stripe-Signature`, if the request has one. */
export interface SignedNotification {
  readonly body: Uint8Array
  readonly header: string | undefined
}

/**
 * Tells whether the provider signed a notification with one of the secrets within the last 300 s. A timestamp more than
 * 300 s ahead of `now_ms` is refused too: the SDK accepts it, so a stolen request could be repeated until that time.
 * Only signatures of the scheme `v1` count, and each is compared with that of each secret in constant time. An empty
 * secret verifies nothing.
 */
export function isSigned(
  { body, header = '' }: SignedNotification,
  secrets: readonly string[],
  now_ms: number,
): boolean {
  const pairs = header.split(',').map((pair) => pair.trim().split('='))
  const valuesOf = (name: string) => pairs.flatMap(([key, value]) => (key === name && value !== undefined ? value : []))
  const [timestamp, ...other_timestamps] = valuesOf('t')
  if (timestamp === undefined || other_timestamps.length > 0 || !isRecent(timestamp, now_ms)) return false
  const signatures = valuesOf('v1')
    .filter((text) => /^[0-9a-f]{64}$/.test(text))
    .map((text) => Buffer.from(text, 'hex'))
  return secrets
    .filter((secret) => secret !== '')
    .map((secret) => createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest())
    .some((expected) => signatures.some((signature) => timingSafeEqual(signature, expected)))
}

const isRecent = (timestamp: string, now_ms: number): boolean =>
  /^\d{1,12}$/.test(timestamp) && Math.abs(Math.floor(now_ms / 1000) - Number(timestamp)) <= TOLERANCE_SECONDS
