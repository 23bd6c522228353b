import { describe, expect, test } from 'vitest'
import { logLine, masked } from '#shared/platform/log-line.ts'

describe('masked and logLine', () => {
  test.each([
    ['4111111111111111', '[masked]'],
    ['card 4111 1111 1111 1111.', 'card [masked].'],
    ['378282246310005', '[masked]'],
    ['a4111-1111-1111-1111b', 'a[masked]b'],
    ['4222222222222', '[masked]'],
    ['key sk_test_0123abc was', 'key sk_test_[masked] was'],
    ['pk_live_0123abc', 'pk_live_[masked]'],
    [`Basic ${btoa('sk_live_0123abcdef:')}`, 'Basic [masked]'],
    [`Basic ${btoa('pk_test_0123abcdef:')}`, 'Basic [masked]'],
  ])('masked turns %s into %s', (said, expected) => {
    expect(masked(said)).toBe(expected)
  })

  test.each([
    'a request 41111111-1111-1111-1111-111111111111 of the gateway',
    '4111111111111112',
    '123456789012',
    '41111111111111111111',
    'pay_01q3g91pw0qr8fwrwvf9wvsdf7',
    '2030-01-02T03:00:00Z',
    'POST /payments',
  ])('masked leaves %s unchanged', (said) => {
    expect(masked(said)).toBe(said)
  })

  test('logLine writes JSON, with card numbers and keys masked in every field', () => {
    const entry = { level: 'error', event: 'request', status: 200, latency_ms: 4111111111111111 } as const
    const line = logLine({ ...entry, error: 'sk_test_abc', stack: ['at 4111111111111111'], merchant: 'mer_1' })
    expect(JSON.parse(line)).toEqual({
      ...{ level: 'error', event: 'request', status: 200, latency_ms: '[masked]' },
      ...{ error: 'sk_test_[masked]', stack: ['at [masked]'], merchant: 'mer_1' },
    })
  })
})
