import { describe, expect, test } from 'vitest'
import { declineOf, isDecline } from '#shared/acquirer/stripe/declines.ts'

/** Every decline code that the documentation of Stripe lists, and the decline that a merchant sees. */
const documented: readonly (readonly [code: string, ours: string])[] = [
  ['approve_with_id', 'card_declined'],
  ['authentication_required', 'card_declined'],
  ['call_issuer', 'card_declined'],
  ['card_not_supported', 'card_declined'],
  ['card_velocity_exceeded', 'exceeds_limit'],
  ['currency_not_supported', 'card_declined'],
  ['do_not_honor', 'card_declined'],
  ['do_not_try_again', 'card_declined'],
  ['duplicate_transaction', 'card_declined'],
  ['expired_card', 'card_expired'],
  ['fraudulent', 'fraudulent'],
  ['generic_decline', 'card_declined'],
  ['incorrect_address', 'card_declined'],
  ['incorrect_cvc', 'bad_verification_value'],
  ['incorrect_number', 'invalid_number'],
  ['incorrect_pin', 'card_declined'],
  ['incorrect_zip', 'card_declined'],
  ['insufficient_funds', 'insufficient_funds'],
  ['invalid_account', 'invalid_account'],
  ['invalid_amount', 'exceeds_limit'],
  ['invalid_cvc', 'bad_verification_value'],
  ['invalid_expiry_month', 'card_expired'],
  ['invalid_expiry_year', 'card_expired'],
  ['invalid_number', 'invalid_number'],
  ['invalid_pin', 'card_declined'],
  ['issuer_not_available', 'other_error'],
  ['lost_card', 'card_declined'],
  ['merchant_blacklist', 'fraudulent'],
  ['mobile_device_authentication_required', 'card_declined'],
  ['new_account_information_available', 'invalid_account'],
  ['no_action_taken', 'card_declined'],
  ['not_permitted', 'restricted_account'],
  ['offline_pin_required', 'card_declined'],
  ['online_or_offline_pin_required', 'card_declined'],
  ['pickup_card', 'card_declined'],
  ['pin_try_exceeded', 'card_declined'],
  ['processing_error', 'other_error'],
  ['reenter_transaction', 'other_error'],
  ['restricted_card', 'restricted_account'],
  ['revocation_of_all_authorizations', 'card_declined'],
  ['revocation_of_authorization', 'card_declined'],
  ['security_violation', 'restricted_account'],
  ['service_not_allowed', 'restricted_account'],
  ['stolen_card', 'card_declined'],
  ['stop_payment_order', 'card_declined'],
  ['testmode_decline', 'card_declined'],
  ['transaction_not_allowed', 'restricted_account'],
  ['try_again_later', 'other_error'],
  ['withdrawal_count_limit_exceeded', 'exceeds_limit'],
]

describe('declineOf', () => {
  test.each(documented)('%s is %s', (decline_code, ours) => {
    expect(declineOf({ type: 'card_error', code: 'card_declined', decline_code })).toBe(ours)
    // A code of the table has a row of its own, and is not only known by the type of its error.
    expect(isDecline({ code: decline_code })).toBe(true)
    expect(declineOf({ code: decline_code })).toBe(ours)
  })

  test.each([
    ['card_declined', 'card_declined'],
    ['payment_intent_authentication_failure', 'card_declined'],
    ['payment_method_provider_decline', 'other_error'],
    ['payment_method_customer_decline', 'other_error'],
    ['payment_method_provider_timeout', 'other_error'],
    ['payment_intent_payment_attempt_failed', 'other_error'],
    ['incorrect_postal_code', 'card_declined'],
  ])('the error code %s without a decline code is %s', (code, ours) => {
    expect(declineOf({ code })).toBe(ours)
    expect(isDecline({ code })).toBe(true)
  })

  test('the decline code of the issuer outranks the error code', () => {
    expect(declineOf({ type: 'card_error', code: 'card_declined', decline_code: 'insufficient_funds' })).toBe(
      'insufficient_funds',
    )
    expect(declineOf({ type: 'card_error', code: 'incorrect_cvc', decline_code: 'new_code' })).toBe('card_declined')
  })

  test('an unknown code of a card error is card_declined, and of any other error other_error', () => {
    expect(declineOf({ type: 'card_error', code: 'new_code' })).toBe('card_declined')
    expect(declineOf({ type: 'api_error', code: 'new_code' })).toBe('other_error')
    expect(declineOf({})).toBe('other_error')
  })

  test('the code of a wrong request is no decline', () => {
    expect(isDecline({ code: 'parameter_unknown' })).toBe(false)
    expect(isDecline({})).toBe(false)
  })
})
