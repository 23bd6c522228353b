import { describe, expect, test } from 'vitest'
import {
  erased,
  isOver,
  newSecureToken,
  type Price,
  refuseUnusable,
  spent,
  type VerificationStatus,
  verified,
} from '#shared/domain/secure-token.ts'
import { secureTokenRecord } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

const NOW = Date.parse('2030-01-02T03:30:00Z')
const OVER = Date.parse('2030-01-02T04:00:00Z')
const price = { amount: 1000, currency: 'JPY' }

type Decision = 'authenticate' | 'fail' | 'skip'

/** The status after each decision, cell by cell. A decided status stays as it is. */
// biome-ignore format: a table
const cells: Readonly<Record<VerificationStatus, Readonly<Record<Decision, VerificationStatus>>>> = {
  NEEDS_VERIFY: { authenticate: 'OK',      fail: 'ERRORED', skip: 'SKIPPED' },
  OK:           { authenticate: 'OK',      fail: 'OK',      skip: 'OK' },
  ERRORED:      { authenticate: 'ERRORED', fail: 'ERRORED', skip: 'ERRORED' },
  SKIPPED:      { authenticate: 'SKIPPED', fail: 'SKIPPED', skip: 'SKIPPED' },
}
const statuses = Object.keys(cells) as VerificationStatus[]
const every_cell = statuses.flatMap((from) =>
  (Object.keys(cells[from]) as Decision[]).map((decision) => ({ from, decision, to: cells[from][decision] })),
)

describe('verified', () => {
  test.each(every_cell)('changes $from by $decision to $to', ({ from, decision, to }) => {
    const before = secureTokenRecord({ verification_status: from })
    const sealed = from === 'NEEDS_VERIFY' && to === 'ERRORED' ? null : before.sealed
    expect(verified(before, decision)).toEqual({ ...before, verification_status: to, sealed })
  })
})

describe('refuseUnusable, spent and erased', () => {
  const invalid = { code: 'invalid_token', param: 'payment_details' }
  const usable = secureTokenRecord({ verification_status: 'OK' })

  test.each(statuses)(
    'refuseUnusable accepts a token that is %s only if that is OK or SKIPPED',
    (verification_status) => {
      const use = () => refuseUnusable(secureTokenRecord({ verification_status }), price, NOW)
      if (['OK', 'SKIPPED'].includes(verification_status)) expect(use).not.toThrow()
      else expect(refused(use)).toEqual(invalid)
    },
  )

  test('refuseUnusable refuses an unknown, spent or expired token', () => {
    for (const token of [undefined, { ...usable, spent_by: 'pay_1' }])
      expect(refused(() => refuseUnusable(token, price, NOW))).toEqual(invalid)
    expect(() => refuseUnusable(usable, price, OVER - 1)).not.toThrow()
    expect(refused(() => refuseUnusable(usable, price, OVER))).toEqual(invalid)
    expect([isOver(usable, OVER - 1), isOver(usable, OVER)]).toEqual([false, true])
  })

  test('refuseUnusable refuses a token with neither payment details nor the card of a customer', () => {
    const customer_card = { customer: 'cus_1', version: 7 }
    expect(() => refuseUnusable({ ...usable, sealed: null, customer_card }, price, NOW)).not.toThrow()
    for (const token of [erased(usable), { ...usable, customer_card: undefined }])
      expect(refused(() => refuseUnusable(token, price, NOW))).toEqual(invalid)
  })

  test('spent records the payment, and erased removes the details only', () => {
    expect(spent(usable, 'pay_1')).toEqual({ ...usable, spent_by: 'pay_1' })
    expect(erased(spent(usable, 'pay_1'))).toEqual({ ...usable, spent_by: 'pay_1', sealed: null })
  })

  test.each<[Price, string | null]>([
    [{ amount: 1000, currency: 'JPY' }, null],
    [{ amount: 1000, currency: 'JPY', tax: 100 }, null],
    [{ amount: 900, currency: 'JPY', tax: 100 }, null],
    [{ amount: 910, currency: 'JPY', tax: 'auto' }, 'amount'],
    [{ amount: 999, currency: 'JPY' }, 'amount'],
    [{ amount: 1001, currency: 'JPY' }, 'amount'],
    [{ amount: 0, currency: 'JPY' }, 'amount'],
    [{ amount: 1000, currency: 'USD' }, 'currency'],
    [{ amount: null, currency: null }, null],
    [{}, null],
  ])('for a token of 1,000 JPY, refuseUnusable checks %j and refuses the parameter %s', (asked, param) => {
    const use = () => refuseUnusable(usable, asked, NOW)
    if (param === null) expect(use).not.toThrow()
    else expect(refused(use).param).toBe(param)
  })
})

describe('a secure token with a hold at a provider', () => {
  const usable = secureTokenRecord({ verification_status: 'OK' })
  const at_provider = { provider: 'stripe', reference: 'pi_1', redirect_url: null } as const

  test.each([
    [{ amount: 1000 }, true],
    [{ amount: 900, tax: 100 }, true],
    [{ amount: 1000, tax: 100 }, false],
    [{}, true],
  ])('for 1,000 JPY pays %j: %s, because a hold cannot be raised', (asked, pays) => {
    const use = () => refuseUnusable({ ...usable, at_provider }, asked, NOW)
    if (pays) expect(use).not.toThrow()
    else expect(refused(use)).toEqual({ code: 'invalid_parameter', param: 'amount' })
  })
})

describe('a new secure token', () => {
  const shown = { type: 'credit_card', email: null } as const
  const fields = {
    ...{ id: 'tok_1', amount: 1000, currency: 'JPY', return_url: 'https://shop.example/', expiry_days: null, shown },
  }

  test.each([
    ['its own payment details', { sealed: 'sealed', customer_card: null }],
    ['the card of a customer', { sealed: null, customer_card: { customer: 'cus_1', version: 7 } }],
  ] as const)('with %s needs 3-D Secure before it pays, and expires after 60 minutes', (_, paid_with) => {
    const made = newSecureToken({ ...fields, ...paid_with, needs_verification: true }, NOW)
    expect(made).toEqual({
      ...fields,
      ...paid_with,
      version: 0,
      verification_status: 'NEEDS_VERIFY',
      needs_verification: true,
      created_at: '2030-01-02T03:30:00Z',
      expires_at: '2030-01-02T04:30:00Z',
      spent_by: null,
    })
    expect(refused(() => refuseUnusable(made, price, NOW)).code).toBe('invalid_token')
    refuseUnusable(verified(made, 'authenticate'), price, NOW)
    expect([isOver(made, NOW + 3_599_999), isOver(made, NOW + 3_600_000)]).toEqual([false, true])
  })
})
