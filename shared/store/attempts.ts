import type { Attempt, Payment } from '#shared/domain/payment.ts'
import { attemptKey } from './keys.ts'
import type { Kind } from './kind.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/**
 * The attempts of operations (charge, capture, refund, void), stored under their payment. An attempt whose outcome is
 * unknown falls due for its next inquiry. The charge of an open payment at a provider falls due for its next look-up.
 */
export const attempts: Kind<Attempt> = {
  name: 'attempt',
  key: (merchant, { payment, number }) => attemptKey(merchant, payment, number),
  due: ({ inquire_at, watch_at }) => inquire_at ?? watch_at ?? undefined,
  due_kind: 'attempt',
}

/**
 * The attempts of a subscription's payments. Their worker can open payment details, so it can resend a charge that
 * never arrived.
 */
export const occurrenceAttempts: Kind<Attempt> = { ...attempts, due_kind: 'occurrence' }

/** The kind of the attempts of a payment. */
export const attemptsOf = ({ occurrence }: Payment): Kind<Attempt> => (occurrence ? occurrenceAttempts : attempts)

/** The attempt with this number of a payment; undefined if there is none. */
export const findAttempt = (work: UnitOfWork, payment: string, number: number): Promise<Attempt | undefined> =>
  work.at(attempts, attemptKey(work.merchant, payment, number))

/** The attempt of a payment's charge, which is its first; undefined for a payment without a charge. */
export const chargeOf = (work: UnitOfWork, { id }: Payment): Promise<Attempt | undefined> => findAttempt(work, id, 1)
