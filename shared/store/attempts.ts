import type { Attempt } from '#shared/domain/payment.ts'
import { attemptKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** Charge attempts, each beneath its payment; due while the outcome is unknown. */
export const attempts: Kind<Attempt> = {
  name: 'attempt',
  key: (merchant, { payment, number }) => attemptKey(merchant, payment, number),
  due: ({ inquire_at }) => inquire_at ?? undefined,
  due_kind: 'attempt',
}
