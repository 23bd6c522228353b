import { updateAccount } from '#shared/domain/account.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { account, UpdateAccount } from '#shared/resources/account.ts'
import { accounts } from '#shared/store/accounts.ts'
import { changed } from '#shared/store/change.ts'

/**
 * Changes the default currency or the time zone of an account.
 * @refuses invalid_currency, invalid_parameter, not_found
 */
export const handler = endpoint('PATCH /accounts/:id', {
  request: UpdateAccount,
  returns: account,
  async run({ params, request, work, now }) {
    const next = updateAccount(await work.get(accounts, params.id), request, now)
    return { changes: [changed(accounts, next)], answer: next }
  },
})
