import { expect, test } from 'vitest'
import { newToken } from '#shared/domain/token.ts'

test('a new token is unused and expires after 60 minutes', () => {
  const shown = { type: 'konbini', email: null } as const
  const fields = { lookup: 'abc', currency: null, shown, expiry_days: 3, sealed: 'sealed' }
  expect(newToken(fields, Date.parse('2030-01-02T03:00:00.500Z'))).toEqual({
    ...fields,
    version: 0,
    created_at: '2030-01-02T03:00:00Z',
    expires_at: '2030-01-02T04:00:00Z',
    spent_by: null,
  })
})
