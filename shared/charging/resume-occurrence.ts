import type { Outcome } from '#shared/domain/payment.ts'
import type { Work } from '#shared/store/work.ts'
import type { Acquirer } from './acquirer.ts'
import { openSource } from './source.ts'
import { type Asked, resumed } from './through-acquirer.ts'

/** What became of a subscription's charge; one that never arrived is sent now, under the same key. */
export async function resumeOccurrence(
  work: Work,
  acquirer: Acquirer,
  { payment, attempt }: Pick<Asked, 'payment' | 'attempt'>,
): Promise<Outcome> {
  const details = await openSource(work, { customer: payment.customer })
  return resumed(work, acquirer, { payment, attempt, details })
}
