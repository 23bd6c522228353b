import type { Acquirer } from '#shared/acquirer/acquirer.ts'
import type { Outcome } from '#shared/domain/payment.ts'
import { chargedSource } from '#shared/payments/payment-source.ts'
import { resumeOperation } from '#shared/payments/resume-operation.ts'
import type { OperationRecords } from '#shared/payments/send-order.ts'
import { SealBroken } from '#shared/platform/ports.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/** Inquires about the charge of a subscription, and sends its order under the same key if the order never arrived. */
export async function resumeOccurrence(
  work: UnitOfWork,
  acquirer: Acquirer,
  { payment, attempt }: Pick<OperationRecords, 'payment' | 'attempt'>,
): Promise<Outcome> {
  const { open, checks } = chargedSource(work, { customer: payment.customer })
  const source = { open: () => open().catch(undefinedIfSealBroken), checks }
  return resumeOperation(work, acquirer, { payment, attempt, details: await source.open() }, source)
}

/**
 * Treats payment details that cannot be opened as details that no longer exist. A charge with them is not sent if it
 * never arrived.
 */
function undefinedIfSealBroken(error: unknown): undefined {
  if (!(error instanceof SealBroken)) throw error
}
