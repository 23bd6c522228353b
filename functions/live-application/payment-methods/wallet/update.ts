import { endpoint } from '#shared/http/endpoint.ts'
import { updates } from '#shared/onboarding/behaviours.ts'

/** Changes what is named in the record of what must be known to take wallets. */
export const handler = endpoint('PATCH /live_application/payment_methods/wallet', updates('payment_methods/wallet'))
