import { timestamp } from './timestamp.ts'

/**
 * The secrets that sign a webhook's deliveries, sealed by the vault. The previous secret is valid until
 * `previous.until`.
 */
export interface WebhookSecret {
  readonly sealed: string
  readonly previous: { readonly sealed: string; readonly until: string } | null
}

/** Returns the secret of a webhook without a previous secret. Null means that the webhook has no secret. */
export const newSecret = (sealed: string | null): WebhookSecret | null =>
  sealed === null ? null : { sealed, previous: null }

/**
 * Returns the secret of a webhook after a rotation. The previous secret stays valid for the grace time, rounded up to a
 * whole second. A secret that an earlier rotation replaced is dropped, even within its grace time.
 */
export function replacedSecret(
  before: WebhookSecret | null,
  sealed: string,
  grace_seconds: number,
  now: number,
): WebhookSecret {
  const until = timestamp(now + grace_seconds * 1000 + 999)
  return { sealed, previous: before && grace_seconds > 0 ? { sealed: before.sealed, until } : null }
}

/** Returns the sealed secrets that sign at `now`, the current one first. */
export function validSecrets(secret: WebhookSecret | null, now: number): string[] {
  if (!secret) return []
  const { sealed, previous } = secret
  return previous && Date.parse(previous.until) > now ? [sealed, previous.sealed] : [sealed]
}
