import { endpoint } from '#shared/http/endpoint.ts'
import { account } from '#shared/resources/account.ts'
import { accounts } from '#shared/store/accounts.ts'

/**
 * Shows an account that the merchant has created.
 * @refuses not_found
 */
export const handler = endpoint('GET /accounts/:id', {
  returns: account,
  async run({ params, work }) {
    return { answer: await work.get(accounts, params.id) }
  },
})
