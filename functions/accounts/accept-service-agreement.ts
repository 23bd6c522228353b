import { updatedAccount } from '#shared/accounts/create-account.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { AcceptServiceAgreement, account } from '#shared/resources/account.ts'
import { accounts } from '#shared/store/accounts.ts'

/**
 * Records when the owner of an account accepted the service agreement, and from which IP address.
 * @refuses invalid_parameter, missing_parameter, not_found
 */
export const handler = endpoint('POST /accounts/:id/accept_service_agreement', {
  request: AcceptServiceAgreement,
  returns: account,
  async run({ params, request, work }) {
    return updatedAccount(work, await work.get(accounts, params.id), request)
  },
})
