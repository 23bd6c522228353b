import * as v from 'valibot'
import { describe, expect, test } from 'vitest'
import { webhook_secret } from '#shared/resources/webhook-secret.ts'

const isAccepted = (secret: unknown) => v.safeParse(webhook_secret, secret).success

describe('webhook_secret', () => {
  test.each([
    's',
    'x'.repeat(255),
    'whse_!',
    'whsec_AA==',
    'whsec_AA',
    'whsec_AAA',
    'whsec_AAA=',
    'whsec_AAAA',
    `whsec_${'A'.repeat(244)}`,
  ])('accepts %s', (secret) => expect(isAccepted(secret)).toBe(true))

  test.each([
    '',
    'x'.repeat(256),
    'whsec_',
    'whsec_=',
    'whsec_A',
    'whsec_AA=',
    'whsec_AAAAA',
    'whsec_AA=A',
    'whsec_-_-_',
    'whsec_AA==\n',
    1,
  ])('refuses %j', (secret) => expect(isAccepted(secret)).toBe(false))
})
