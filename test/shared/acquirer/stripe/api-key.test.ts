import { expect, test } from 'vitest'
import { modeOfApiKey } from '#shared/acquirer/stripe/api-key.ts'

test.each([
  ['sk_live_1aB', 'live'],
  ['rk_live_1aB', 'live'],
  ['sk_test_1aB', 'test'],
  ['rk_test_1aB', 'test'],
  ['pk_live_1aB', undefined],
  ['whsec_1aB', undefined],
  ['sk_test_', undefined],
  ['sk_live_1aB\n', undefined],
  ['xsk_live_1', undefined],
  ['', undefined],
])('modeOfApiKey(%j) is %s', (api_key, mode) => {
  expect(modeOfApiKey(api_key)).toBe(mode)
})
