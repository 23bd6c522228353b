import { createHmac } from 'node:crypto'
import Stripe from 'stripe'
import { describe, expect, test } from 'vitest'
import { isSigned } from '#shared/acquirer/stripe/signature.ts'

const stripe = new Stripe('sk_test_unused', { telemetry: false })
const now_ms = Date.parse('2030-01-02T03:00:04.987Z')
const now = Math.floor(now_ms / 1000)
const text = JSON.stringify({ id: 'evt_1', data: { name: 'さくら 😀 \u2028' } })
const body = Buffer.from(text)
const secret = 'whsec_current'

/** The header that the official SDK makes for this body. */
const headerOf = (options: { secret?: string; timestamp?: number; payload?: string; scheme?: string } = {}) =>
  stripe.webhooks.generateTestHeaderString({ payload: text, secret, timestamp: now, ...options })

const accepts = (header: string | undefined, secrets: readonly string[] = [secret], bytes: Uint8Array = body) =>
  isSigned({ body: bytes, header }, secrets, now_ms)

const hex = headerOf().split('v1=')[1]!

describe('isSigned', () => {
  test('accepts a signature that the official SDK made', () => {
    expect(accepts(headerOf())).toBe(true)
  })

  test('verifies the bytes of a body that is not UTF-8', () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0x00, 0x7d])
    const signature = createHmac('sha256', secret).update(`${now}.`).update(bytes).digest('hex')
    expect(accepts(`t=${now},v1=${signature}`, [secret], bytes)).toBe(true)
  })

  test.each([-300, -299, 0, 299, 300])('accepts a timestamp %i s from now', (offset) => {
    expect(accepts(headerOf({ timestamp: now + offset }))).toBe(true)
  })

  test.each([-86_400, -301, 301, 3600])('refuses a timestamp %i s from now', (offset) => {
    expect(accepts(headerOf({ timestamp: now + offset }))).toBe(false)
  })

  test('refuses a timestamp an hour ahead, which the SDK accepts', () => {
    const header = headerOf({ timestamp: now + 3600 })
    expect(stripe.webhooks.constructEvent(body, header, secret, 300, undefined, now_ms).id).toBe('evt_1')
    expect(accepts(header)).toBe(false)
  })

  test('refuses a signature with another secret', () => {
    expect(accepts(headerOf({ secret: 'whsec_other' }))).toBe(false)
  })

  test('refuses a body in which one byte differs, at each of its bytes', () => {
    for (const index of body.keys()) {
      const changed = Buffer.from(body)
      changed[index]! ^= 1
      expect(accepts(headerOf(), [secret], changed), `byte ${index}`).toBe(false)
    }
  })

  test('refuses a signature of the same body with another timestamp', () => {
    expect(accepts(`t=${now - 1},v1=${hex}`)).toBe(false)
  })

  test.each([
    ['absent', undefined],
    ['empty', ''],
    ['of the scheme v0 alone', headerOf().replace('v1=', 'v0=')],
    ['without a timestamp', `v1=${hex}`],
    ['with two timestamps', `t=${now},t=${now},v1=${hex}`],
    ['with a timestamp that is no number', `t=${now}x,v1=${hex}`],
    ['with an empty timestamp', `t=,v1=${hex}`],
    ['with a negative timestamp', `t=-${now},v1=${hex}`],
    ['with a timestamp that is too long', `t=${'9'.repeat(400)},v1=${hex}`],
    ['without a signature', `t=${now}`],
    ['with an empty signature', `t=${now},v1=`],
    ['with a shortened signature', `t=${now},v1=${hex.slice(0, 62)}`],
    ['with a longer signature', `t=${now},v1=${hex}00`],
    ['with a signature that is no hex', `t=${now},v1=${'z'.repeat(64)}`],
    ['made of separators', ',,==,='],
  ])('refuses a header that is %s', (_, header) => {
    expect(accepts(header)).toBe(false)
  })

  test('accepts the signature of any secret in any place while a secret is rolled', () => {
    const old = headerOf({ secret: 'whsec_old' }).split('v1=')[1]!
    const secrets = [secret, 'whsec_old']
    expect(accepts(headerOf(), secrets)).toBe(true)
    expect(accepts(headerOf({ secret: 'whsec_old' }), secrets)).toBe(true)
    expect(accepts(`t=${now},v1=${'0'.repeat(64)},v1=${old},v0=${hex}`, secrets)).toBe(true)
    expect(accepts(`t=${now},v1=${old}`, [secret])).toBe(false)
  })

  test('accepts spaces between the parts of a header', () => {
    expect(accepts(`t=${now}, v1=${hex}`)).toBe(true)
  })

  test('refuses every signature without a secret, and one with the empty secret', () => {
    expect(accepts(headerOf(), [])).toBe(false)
    const empty = createHmac('sha256', '').update(`${now}.`).update(body).digest('hex')
    expect(accepts(`t=${now},v1=${empty}`, ['', secret])).toBe(false)
  })
})
