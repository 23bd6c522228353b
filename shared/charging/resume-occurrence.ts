import type { Outcome } from '#shared/domain/payment.ts'
import { SealBroken } from '#shared/platform/ports.ts'
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
  const details = await openSource(work, { customer: payment.customer }).catch(undefinedIfShut)
  return resumed(work, acquirer, { payment, attempt, details })
}

/** Details that stay shut are as good as gone: what never arrived with them is not sent. */
function undefinedIfShut(error: unknown): undefined {
  if (!(error instanceof SealBroken)) throw error
}
