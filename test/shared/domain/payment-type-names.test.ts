import { describe, expect, test } from 'vitest'
import { payment_types } from '#shared/domain/payment-details.ts'
import { payment_type_names } from '#shared/domain/payment-type-names.ts'
import { locales } from '#shared/domain/session.ts'

describe('payment_type_names', () => {
  test.each(locales)('has a different name for every type in %s', (locale) => {
    const names = payment_types.map((type) => payment_type_names[type][locale])
    expect(names.filter((name) => name.trim() === '')).toEqual([])
    expect(new Set(names).size).toBe(names.length)
  })
})
