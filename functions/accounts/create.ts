import { createAccount } from '#shared/accounts/create-account.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { account, CreateAccount } from '#shared/resources/account.ts'

/**
 * Creates an account for another business, with a test merchant and a live merchant.
 * @refuses invalid_currency, invalid_parameter, missing_parameter
 */
export const handler = endpoint('POST /accounts', {
  request: CreateAccount,
  returns: account,
  run: ({ request, work }) => createAccount(work, request),
})
