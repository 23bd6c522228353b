import { describe, expect, test } from 'vitest'
import { changed, refuseOversize, removed, unchanged } from '#shared/store/change.ts'
import { payments } from '#shared/store/payments.ts'
import { paymentRecord } from '#test/fixtures/records.ts'
import { refused } from '#test/fixtures/refusals.ts'

/** A payment whose metadata has about so many bytes. */
const sized = (bytes: number, letter = 'x') =>
  paymentRecord({ metadata: { text: letter.repeat(bytes / Buffer.byteLength(letter)) } })

describe('refuseOversize', () => {
  test('refuses a record that is too large to store, counted in bytes', () => {
    for (const letter of ['x', '茶', '"'])
      expect(refused(() => refuseOversize([changed(payments, sized(345_000, letter))])).code).toBe(
        'unprocessable_entity',
      )
    expect(() => refuseOversize([changed(payments, sized(330_000)), changed(payments, sized(330_000))])).not.toThrow()
  })

  test('accepts a large change that is owed, a removal and an unchanged record', () => {
    const large = sized(345_000)
    refuseOversize([
      changed(payments, large, [], { must_record: true }),
      removed(payments, large),
      unchanged(payments, large),
    ])
  })
})
