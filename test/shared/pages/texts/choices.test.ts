import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { store_steps } from '#shared/pages/last-pages/store-steps.ts'
import { carriers, stores } from '#shared/pages/texts/choices.ts'
import { payment_details_object } from '#shared/resources/payment-details.ts'

const email = 'hanako@example.jp'

describe('stores and carriers', () => {
  test('contain only values that the API accepts', () => {
    const refused = [
      ...Object.keys(stores).map((store) => ({ type: 'konbini', email, store })),
      ...Object.keys(carriers).map((brand) => ({ type: 'japan_mobile', email, brand })),
    ].filter((details) => !v.is(payment_details_object, details))
    expect(refused).toEqual([])
    expect(Object.keys(stores)).toHaveLength(6)
    expect(Object.keys(carriers)).toHaveLength(4)
  })

  test('have steps for every store, as many in each language', () => {
    expect(Object.keys(store_steps).sort()).toEqual(Object.keys(stores).sort())
    for (const steps of Object.values(store_steps)) {
      const counts = new Set(locales.map((locale) => steps[locale].filter(Boolean).length))
      expect([...counts]).toEqual([steps.ja.length])
      expect(steps.ja.length).toBeGreaterThanOrEqual(3)
    }
  })
})
