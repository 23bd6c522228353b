import { describe, expect, test } from 'vitest'
import { namesOf } from '#infra/names.ts'

describe('namesOf', () => {
  test('names a function after its service, stage and file', () => {
    expect(namesOf('dev').function('payments/refund-request')).toBe('payment-service-dev-payments-refund-request')
  })

  test('shortens a long name to the limit of Lambda and keeps it unique', () => {
    const verbs = ['create', 'update', 'show']
    const names = verbs.map((verb) =>
      namesOf('staging').function(`live-application/payment-methods/convenience-store/${verb}`),
    )
    for (const name of names) expect(name).toMatch(/^payment-service-staging-[a-z0-9-]{1,40}$/)
    expect(new Set(names).size).toBe(verbs.length)
  })

  test('gives dev and staging different names', () => {
    const inStage = (stage: string) => {
      const names = namesOf(stage)
      return Object.values(names).map((name) => (typeof name === 'string' ? name : name('chores', 'region')))
    }
    expect(inStage('dev').filter((name) => inStage('staging').includes(name))).toEqual([])
  })
})
