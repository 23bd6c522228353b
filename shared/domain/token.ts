import type { PaymentSource } from './payment.ts'
import { timestamp } from './timestamp.ts'

/** A token as stored. Its id has a look-up half, which is stored, and a secret half, which only the client knows. */
export interface Token extends PaymentSource {
  /** The half of the id under which the record is stored. */
  readonly lookup: string
  readonly version: number
  /** The only currency of a payment with this token; null for any currency. */
  readonly currency: string | null
  /** The payment details as base64, sealed by the vault and encrypted with the other half of the id. */
  readonly sealed: string
  readonly created_at: string
  readonly expires_at: string
  /** The payment that used the token. */
  readonly spent_by: string | null
}

const TOKEN_LIFE_MS = 60 * 60_000

/** Returns a new token, which expires after 60 minutes. */
export const newToken = (
  fields: Pick<Token, 'lookup' | 'currency' | 'shown' | 'expiry_days' | 'sealed'>,
  now: number,
): Token => ({
  ...fields,
  version: 0,
  created_at: timestamp(now),
  expires_at: timestamp(now + TOKEN_LIFE_MS),
  spent_by: null,
})
