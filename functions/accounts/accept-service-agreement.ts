import { endpoint } from '#shared/http/endpoint.ts'
import { updatedAccount } from '#shared/onboarding/make-account.ts'
import { AcceptServiceAgreement, account } from '#shared/resources/account.ts'
import { accounts } from '#shared/store/accounts.ts'

/** Records when and from where the owner of an account has accepted the service agreement. */
export const handler = endpoint('POST /accounts/:id/accept_service_agreement', {
  request: AcceptServiceAgreement,
  returns: account,
  async run({ params, request, work }) {
    return updatedAccount(work, await work.get(accounts, params.id), request)
  },
})
