import { endpoint } from '#shared/http/endpoint.ts'
import { account } from '#shared/resources/account.ts'
import { getAccount } from '#shared/store/account-of.ts'

/**
 * Shows an account that the merchant has created, or the merchant's own account.
 * @refuses not_found
 */
export const handler = endpoint('GET /accounts/:id', {
  returns: account,
  async run({ params, work }) {
    return { answer: await getAccount(work, params.id) }
  },
})
