import { describe, expect, test } from 'vitest'
import { iconsPath } from '#shared/domain/page-url.ts'

describe('iconsPath', () => {
  test.each([
    ['https://api.example.com', '/payment_methods'],
    ['https://api.example.com/prod', '/prod/payment_methods'],
    ['http://localhost:3000', '/payment_methods'],
    ['', '/payment_methods'],
  ])('keeps the prefix of the stage of %s', (base_url, path) => {
    expect(iconsPath({ base_url })).toBe(path)
  })
})
