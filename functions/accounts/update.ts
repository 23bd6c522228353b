import { endpoint } from '#shared/http/endpoint.ts'
import { updatedAccount } from '#shared/onboarding/make-account.ts'
import { account, UpdateAccount } from '#shared/resources/account.ts'
import { accounts } from '#shared/store/accounts.ts'

/** Changes the currency or the time zone of an account. */
export const handler = endpoint('PATCH /accounts/:id', {
  request: UpdateAccount,
  returns: account,
  async run({ params, request, work }) {
    return updatedAccount(work, await work.get(accounts, params.id), request)
  },
})
