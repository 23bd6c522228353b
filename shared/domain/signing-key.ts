/** `whsec_` and at least one byte as base64, with or without padding. */
const STANDARD = /^whsec_(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{4}|[A-Za-z0-9+/]{3}=?|[A-Za-z0-9+/]{2}(?:==)?)$/

/** Whether a secret begins with `whsec_` and cannot be read as a secret of the Standard Webhooks libraries. */
export const isBrokenSecret = (secret: string): boolean => secret.startsWith('whsec_') && !STANDARD.test(secret)

/**
 * Returns the key that signs `webhook-signature`. After `whsec_`, a secret is base64, and its key is the decoded bytes,
 * as in the Standard Webhooks libraries. Any other secret is its own key. A broken secret, which only an old webhook
 * can have, is its own key as well: decoding it could give an empty key, with which anyone could sign.
 */
export const standardKey = (secret: string): string | Buffer =>
  STANDARD.test(secret) ? Buffer.from(secret.slice('whsec_'.length), 'base64') : secret
