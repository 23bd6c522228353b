import type { Attempt, Payment } from '#shared/domain/payment.ts'
import { attemptKey } from './keys.ts'
import type { Kind } from './kind.ts'

/**
 * The attempts of operations (charge, capture, refund, void), stored under their payment. An attempt whose outcome is
 * unknown falls due for its next inquiry.
 */
export const attempts: Kind<Attempt> = {
  name: 'attempt',
  key: (merchant, { payment, number }) => attemptKey(merchant, payment, number),
  due: ({ inquire_at }) => inquire_at ?? undefined,
  due_kind: 'attempt',
}

/**
 * The attempts of a subscription's payments. Their worker can open payment details, so it can resend a charge that
 * never arrived.
 */
export const occurrenceAttempts: Kind<Attempt> = { ...attempts, due_kind: 'occurrence' }

/** The kind of the attempts of a payment. */
export const attemptsOf = ({ occurrence }: Payment): Kind<Attempt> => (occurrence ? occurrenceAttempts : attempts)
