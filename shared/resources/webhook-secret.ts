import * as v from 'valibot'
import { isBrokenSecret } from '#shared/domain/signing-key.ts'
import { text } from './fields.ts'

/**
 * The secret that signs the deliveries of a webhook: text of 1 to 255 characters. `whsec_` must be followed by base64.
 */
export const webhook_secret = v.pipe(
  text(255),
  v.metadata({ pattern: '^(?!whsec_)|^whsec_([A-Za-z0-9+/]{4})+$' }),
  v.check(
    (secret) => !isBrokenSecret(secret),
    'must continue with base64 after whsec_, such as whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
  ),
)
