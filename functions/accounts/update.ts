import { changeAccount } from '#shared/accounts/change-account.ts'
import { endpoint } from '#shared/http/endpoint.ts'
import { with_bucket } from '#shared/http/with-bucket.ts'
import { account, UpdateAccount } from '#shared/resources/account.ts'

/**
 * Changes the currency and the time zone of an account, or what customers see of it. Customers see the display name,
 * the accent color and the logo. The account is one that the merchant has created, or the merchant's own account.
 * @refuses invalid_currency, invalid_parameter, not_found
 */
export const handler = endpoint('PATCH /accounts/:id', {
  platform: with_bucket,
  request: UpdateAccount,
  returns: account,
  run: ({ params, request, work }) => changeAccount(work, params.id, request),
})
