import type { Attempt, Payment } from '#shared/domain/payment.ts'
import { attemptKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** Charge attempts, each beneath its payment; due while the outcome is unknown. */
export const attempts: Kind<Attempt> = {
  name: 'attempt',
  key: (merchant, { payment, number }) => attemptKey(merchant, payment, number),
  due: ({ inquire_at }) => inquire_at ?? undefined,
  due_kind: 'attempt',
}

/** Those of a subscription's charges: whoever asks what became of one, can charge again what never arrived. */
export const occurrenceAttempts: Kind<Attempt> = { ...attempts, due_kind: 'occurrence' }

/** The kind of the attempts of a payment. */
export const attemptsOf = ({ occurrence }: Payment): Kind<Attempt> => (occurrence ? occurrenceAttempts : attempts)
