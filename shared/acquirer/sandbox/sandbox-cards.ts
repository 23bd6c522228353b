import type { DeclineCode } from '#shared/domain/errors.ts'

/** What the sandbox does with a card number. Every number that is not listed succeeds. */
export const sandbox_cards: ReadonlyMap<string, DeclineCode | 'fraudulent' | 'needs_3d_secure' | 'pays_once'> = new Map(
  [
    ['4100000000000100', 'needs_3d_secure'],
    ['5100000000000107', 'needs_3d_secure'],
    ['4123111111111000', 'insufficient_funds'],
    ['4123111111111018', 'exceeds_limit'],
    ['4123111111111034', 'bad_verification_value'],
    ['4123111111111042', 'card_expired'],
    ['4123111111111059', 'card_declined'],
    ['4123111111111067', 'invalid_number'],
    ['4123111111111075', 'invalid_number'],
    ['4123111111111083', 'fraudulent'],
    ['4123111111112008', 'pays_once'],
  ],
)
