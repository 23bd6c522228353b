import { updateAccount } from '#shared/domain/account.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { AcceptServiceAgreement, account } from '#shared/resources/account.ts'
import { accounts } from '#shared/store/accounts.ts'
import { changed } from '#shared/store/change.ts'

/**
 * Records when the owner of an account accepted the service agreement, and from which IP address.
 * @refuses invalid_parameter, missing_parameter, not_found
 */
export const handler = endpoint('POST /accounts/:id/accept_service_agreement', {
  request: AcceptServiceAgreement,
  returns: account,
  async run({ params, request, work }) {
    const next = updateAccount(await work.get(accounts, params.id), request, work.realNow())
    return { changes: [changed(accounts, next)], answer: next }
  },
})
