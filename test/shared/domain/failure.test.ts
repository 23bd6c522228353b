import { describe, expect, test } from 'vitest'
import { sentenceOf } from '#shared/domain/errors.ts'
import { errorCodeOf, failureMessage } from '#shared/domain/failure.ts'

describe('errorCodeOf', () => {
  test.each(['card_declined', 'used_number', 'fraudulent'] as const)('keeps %s of the acquirer', (code) => {
    expect(errorCodeOf(code)).toBe(code)
  })

  test.each(['failed_authentication', 'refused_by_customer', 'never_arrived'] as const)(
    'returns other_error for %s, which no acquirer reports',
    (code) => expect(errorCodeOf(code)).toBe('other_error'),
  )
})

describe('failureMessage', () => {
  test('returns the sentence of the error code for a decline', () => {
    expect(failureMessage('card_expired')).toBe(sentenceOf('card_expired'))
  })

  test.each(['failed_authentication', 'never_arrived', 'no_payment_details', 'cancelled'] as const)(
    'returns a sentence of its own for %s',
    (code) => expect(failureMessage(code)).toMatch(/^[A-Z].+\.$/),
  )
})
