import type { DeclineCode } from '#shared/domain/errors.ts'

/** The codes by which Stripe or an issuer declines a charge, and the decline that a merchant sees. */
const rows: Readonly<Record<DeclineCode | 'fraudulent', string>> = {
  insufficient_funds: 'insufficient_funds',
  exceeds_limit: 'card_velocity_exceeded withdrawal_count_limit_exceeded invalid_amount',
  bad_verification_value: 'incorrect_cvc invalid_cvc',
  card_expired: 'expired_card invalid_expiry_month invalid_expiry_year',
  invalid_number: 'incorrect_number invalid_number',
  invalid_account: 'invalid_account new_account_information_available',
  restricted_account: 'restricted_card transaction_not_allowed not_permitted service_not_allowed security_violation',
  used_number: '',
  fraudulent: 'fraudulent merchant_blacklist',
  // These must look the same to every recipient: the customer of a lost or stolen card may be the thief.
  card_declined: `generic_decline do_not_honor do_not_try_again call_issuer approve_with_id no_action_taken card_declined
    lost_card stolen_card pickup_card card_not_supported currency_not_supported duplicate_transaction
    authentication_required payment_intent_authentication_failure mobile_device_authentication_required
    incorrect_pin invalid_pin pin_try_exceeded offline_pin_required online_or_offline_pin_required
    incorrect_zip incorrect_postal_code incorrect_address
    revocation_of_all_authorizations revocation_of_authorization stop_payment_order testmode_decline`,
  other_error: `processing_error issuer_not_available try_again_later reenter_transaction
    payment_method_provider_decline payment_method_customer_decline payment_method_provider_timeout
    payment_intent_payment_attempt_failed`,
}

const declines: ReadonlyMap<string, DeclineCode | 'fraudulent'> = new Map(
  Object.entries(rows).flatMap(([ours, codes]) =>
    codes
      .split(/\s+/)
      .filter(Boolean)
      .map((code) => [code, ours as DeclineCode | 'fraudulent'] as const),
  ),
)

/** An error of Stripe as far as it says why a charge was declined: the body of an error, or a `last_payment_error`. */
export interface StripeDecline {
  readonly type?: string
  readonly code?: string
  readonly decline_code?: string
}

/**
 * Returns the decline of an error of Stripe. The issuer's `decline_code` outranks the `code`. An unknown code of a
 * `card_error` is `card_declined`, and any other unknown code is `other_error`.
 */
export function declineOf({ type, code, decline_code }: StripeDecline): DeclineCode | 'fraudulent' {
  const known = declines.get(decline_code ?? '') ?? (decline_code === undefined ? declines.get(code ?? '') : undefined)
  return known ?? (type === 'card_error' ? 'card_declined' : 'other_error')
}

/** Whether a code of Stripe means that a charge was declined, and not that its request was wrong. */
export const isDecline = ({ code, decline_code }: StripeDecline): boolean =>
  decline_code !== undefined || declines.has(code ?? '')
