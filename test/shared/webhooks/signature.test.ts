import { createHmac } from 'node:crypto'
import { Webhook } from 'standardwebhooks'
import { afterEach, describe, expect, test, vi } from 'vitest'
import type { Event } from '#shared/domain/event.ts'
import { bodyOf, headersOf } from '#shared/webhooks/signature.ts'

const event: Event = {
  id: 'evt_1',
  version: 1,
  type: 'payment.captured',
  about: { kind: 'payment', id: 'pay_1', version: 12 },
  data: { id: 'pay_1', description: 'さくら "x" \u2028 é 😀', metadata: { '10': 1, '9': 0.1, ü: true } },
  created_at: '2030-01-02T03:00:00Z',
}
const body = bodyOf(event)
const now = Date.parse('2030-01-02T03:00:04.987Z')
const signed = (...secrets: string[]) => headersOf({ delivery: 'dlv_1', event, body, secrets, sent_at: now })

afterEach(() => {
  vi.useRealTimers()
})

describe('bodyOf', () => {
  test('returns the event as the API shows it, with the documented fields in their order', () => {
    const { id, type, data, created_at } = event
    expect(body).toBe(JSON.stringify({ id, type, resource: 'event', data, created_at }))
    expect(body).toMatch(/^\{"id":"evt_1","type":"payment.captured","resource":"event","data":\{/)
  })

  test('returns the same bytes for an event that was stored and read', () => {
    expect(bodyOf({ ...event, version: 2, data: JSON.parse(JSON.stringify(event.data)) })).toBe(body)
  })
})

/** The verifier that a merchant makes from the secret exactly as it was sent. */
const verifierOf = (secret: string) =>
  secret.startsWith('whsec_') ? new Webhook(secret) : new Webhook(Buffer.from(secret), { format: 'raw' })

describe('headersOf', () => {
  const unsigned = {
    'Content-Type': 'application/json',
    'User-Agent': 'Service-Webhook',
    'X-Service-ID': 'dlv_1',
    'X-Service-Event': 'payment.captured',
    'X-Service-Sequence': '12',
  }

  test('returns only the headers of the delivery without a secret', () => {
    expect(signed()).toEqual(unsigned)
  })

  test('adds the hex HMAC-SHA256 of the raw body and the Standard Webhooks headers with a secret', () => {
    const { 'X-Service-Signature': signature, ...rest } = signed('s3cret')
    expect(signature).toBe(createHmac('sha256', 's3cret').update(Buffer.from(body)).digest('hex'))
    const text = createHmac('sha256', 's3cret').update(`dlv_1.1893553204.${body}`).digest('base64')
    expect(rest).toEqual({
      ...unsigned,
      'webhook-id': 'dlv_1',
      'webhook-timestamp': '1893553204',
      'webhook-signature': `v1,${text}`,
    })
  })

  test('returns the same signatures as openssl', () => {
    expect(headersOf({ delivery: 'dlv_1', event, body: '{"a":1}', secrets: ['key'], sent_at: 0 })).toMatchObject({
      'X-Service-Signature': '88a67f24bbcdaed0e6c997404bb79a743baf44c6bab2f4c27328e3009d22e342',
      'webhook-signature': 'v1,QMMEYU+TLkfrJbfA1x8gRbVL+YU3j68vv1cQvFzwZJ8=',
    })
  })

  test.each(['s3cret', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', 'whsec_AA==', 'ひみつ 😀', 'x'.repeat(255)])(
    'returns headers that another implementation verifies: %s',
    (secret) => {
      vi.useFakeTimers({ now, toFake: ['Date'] })
      const verifier = verifierOf(secret)
      expect(verifier.verify(body, signed(secret))).toEqual(JSON.parse(body))
      expect(() => verifier.verify(`${body} `, signed(secret))).toThrow('No matching signature')
      expect(() => verifier.verify(body, signed('another'))).toThrow('No matching signature')
      expect(() => verifier.verify(body, { ...signed(secret), 'webhook-id': 'dlv_2' })).toThrow('No matching signature')
    },
  )

  test.each(['whsec_', 'whsec_!', 'whsec_A'])(
    'of an old webhook with the broken secret %s use its text as the key',
    (secret) => {
      vi.useFakeTimers({ now, toFake: ['Date'] })
      const verifier = new Webhook(Buffer.from(secret), { format: 'raw' })
      expect(verifier.verify(body, signed(secret))).toEqual(JSON.parse(body))
    },
  )

  test('signs with both secrets during a rotation, the current one first, and X-Service-Signature with the current one only', () => {
    vi.useFakeTimers({ now, toFake: ['Date'] })
    const headers = signed('new', 'old')
    expect(headers['X-Service-Signature']).toBe(signed('new')['X-Service-Signature'])
    expect(headers['webhook-signature']!.split(' ')).toEqual([
      signed('new')['webhook-signature'],
      signed('old')['webhook-signature'],
    ])
    for (const secret of ['new', 'old'])
      expect(new Webhook(secret, { format: 'raw' }).verify(body, headers)).toEqual(JSON.parse(body))
    expect(() => new Webhook('older', { format: 'raw' }).verify(body, headers)).toThrow()
  })
})
