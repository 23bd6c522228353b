import { describe, expect, test } from 'vitest'
import { newSecret, replacedSecret, validSecrets, type WebhookSecret } from '#shared/domain/webhook-secret.ts'

const NOW = Date.parse('2030-01-02T03:00:00Z')

const none = null
const one: WebhookSecret = { sealed: 'b', previous: null }
const in_grace: WebhookSecret = { sealed: 'b', previous: { sealed: 'a', until: '2030-01-02T03:00:01Z' } }
const past_grace: WebhookSecret = { sealed: 'b', previous: { sealed: 'a', until: '2030-01-02T03:00:00Z' } }

test('a new secret has no previous secret, and no secret is null', () => {
  expect(newSecret('a')).toEqual({ sealed: 'a', previous: null })
  expect(newSecret(null)).toBeNull()
})

describe('a rotation', () => {
  const kept = { sealed: 'b', until: '2030-01-02T03:01:00Z' }

  test.each<[string, WebhookSecret | null, number, WebhookSecret['previous']]>([
    ['no secret', none, 60, null],
    ['no secret', none, 0, null],
    ['one secret', one, 60, kept],
    ['one secret', one, 0, null],
    ['a previous secret in its grace time', in_grace, 60, kept],
    ['a previous secret in its grace time', in_grace, 0, null],
    ['a previous secret past its grace time', past_grace, 60, kept],
    ['a previous secret past its grace time', past_grace, 0, null],
  ])('of %s (%j) with a grace time of %i s', (_, before, grace_seconds, previous) => {
    expect(replacedSecret(before, 'c', grace_seconds, NOW)).toEqual({ sealed: 'c', previous })
  })

  test.each([
    [0, '2030-01-02T03:01:00Z'],
    [1, '2030-01-02T03:01:01Z'],
    [999, '2030-01-02T03:01:01Z'],
    [1_000, '2030-01-02T03:01:01Z'],
  ])('%i ms past the second keeps the secret before to the end of the last second', (past_ms, until) => {
    expect(replacedSecret(one, 'c', 60, NOW + past_ms).previous).toEqual({ sealed: 'b', until })
  })
})

describe('the valid secrets', () => {
  test.each<[string, WebhookSecret | null, string[]]>([
    ['no secret', none, []],
    ['one secret', one, ['b']],
    ['a previous secret in its grace time', in_grace, ['b', 'a']],
    ['a previous secret past its grace time', past_grace, ['b']],
  ])('of %s', (_, secret, valid) => {
    expect(validSecrets(secret, NOW)).toEqual(valid)
  })

  test.each([0, 1, 500, 999])('after a rotation %i ms past a second are both for the whole grace time', (past_ms) => {
    const rotated_at = NOW + past_ms
    const rotated = replacedSecret(one, 'c', 60, rotated_at)
    expect(validSecrets(rotated, rotated_at)).toEqual(['c', 'b'])
    expect(validSecrets(rotated, rotated_at + 59_999)).toEqual(['c', 'b'])
    expect(validSecrets(rotated, rotated_at + 61_000)).toEqual(['c'])
  })
})
