import { backfillAccounts } from '#shared/accounts/backfill-accounts.ts'
import type { Verb } from './verb.ts'

/** `operate backfill-accounts` completes the accounts that an older version has stored. The service can run. */
export const backfillAccountsVerb: Verb = {
  does: 'completes the accounts of merchants that an older version created, while the service runs',
  args: [],
  async run({ open, out, progress }) {
    const stored = await backfillAccounts(await open(), progress)
    out(stored === 1 ? '1 record was stored.' : `${stored} records were stored.`)
    return 0
  },
}
