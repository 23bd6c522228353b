import { endpoint } from '#shared/http/endpoint.ts'
import { makeAccount } from '#shared/onboarding/make-account.ts'
import { account, CreateAccount } from '#shared/resources/account.ts'

/** Creates an account for someone else to trade with, with a test and a live merchant. */
export const handler = endpoint('POST /accounts', {
  request: CreateAccount,
  returns: account,
  run: ({ request, work }) => makeAccount(work, request),
})
