import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { type RequestExample, referenceSample, request_languages } from '#shared/docs/reference-samples.ts'
import { type Api, card, openApi } from '#test/fixtures/api.ts'
import { runSample } from '#test/fixtures/sample-runner.ts'

const order = { amount: 1000, currency: 'JPY', payment_details: card() }

describe('referenceSample', () => {
  test('writes a form for curl where a form can state the body, and JSON otherwise', () => {
    const example = (body: unknown): RequestExample => ({ method: 'POST', path: '/payments', body, key: 'SECRET_KEY' })
    expect(referenceSample(example({ amount: 1, metadata: { note: "it's" } }), 'shell')).toBe(
      `curl {base_url}/payments \\\n  -u "$SECRET_KEY:" \\\n  -d amount=1 \\\n  -d 'metadata[note]=it'\\''s'`,
    )
    expect(referenceSample(example({ events: ['ping'] }), 'shell')).toContain(
      `-H 'Content-Type: application/json' \\\n  -d '{\n  "events": ["ping"]\n}'`,
    )
    expect(referenceSample(example({}), 'shell')).toContain(`-d '{}'`)
  })

  test('takes ids from the environment, named after the resource', () => {
    const path = '/accounts/{id}/keys/{key}/roll'
    const example: RequestExample = { method: 'POST', path, key: 'SECRET_KEY' }
    expect(referenceSample(example, 'shell')).toContain('{base_url}/accounts/$ACCOUNT/keys/$KEY/roll')
    expect(referenceSample(example, 'typescript')).toContain(
      '`{base_url}/accounts/$' + '{process.env.ACCOUNT}/keys/$' + '{process.env.KEY}/roll`',
    )
    expect(referenceSample({ ...example, method: 'GET', path: '/deliveries/{id}' }, 'shell')).toContain('/$DELIVERY')
  })

  test('sends an Idempotency-Key if the request moves money', () => {
    const example: RequestExample = {
      method: 'POST',
      path: '/payments',
      body: {},
      moves_money: true,
      key: 'SECRET_KEY',
    }
    expect(referenceSample(example, 'shell')).toContain('-H "Idempotency-Key: $IDEMPOTENCY_KEY"')
    expect(referenceSample(example, 'typescript')).toContain("    'Idempotency-Key': process.env.IDEMPOTENCY_KEY ??")
    for (const language of request_languages)
      expect(referenceSample({ ...example, moves_money: false }, language)).not.toContain('Idempotency-Key')
  })

  test('shows where a redirect leads', () => {
    const example: RequestExample = {
      method: 'GET',
      path: '/files/{id}/content',
      is_redirected: true,
      key: 'SECRET_KEY',
    }
    expect(referenceSample(example, 'shell')).toMatch(/^curl -i \{base_url\}/)
    expect(referenceSample(example, 'typescript')).toMatch(/redirect: 'manual',\n\}\).*headers\.get\('Location'\)\)$/s)
  })
})

describe('the samples of the reference', () => {
  let api: Api
  beforeEach(async () => {
    api = await openApi()
  })
  afterEach(() => api.close())

  const run = async (example: RequestExample, language: (typeof request_languages)[number], env = {}) => {
    const printed = await runSample({ [language]: referenceSample(example, language) }, language, {
      base_url: `${api.url}/api/v1`,
      env: { SECRET_KEY: api.test.secret_key, ...env },
    })
    return JSON.parse(language === 'shell' ? printed : '{}') as Record<string, unknown>
  }

  test.each(request_languages)('create a resource, list, show and delete it, in %s', async (language) => {
    const created = await run({ method: 'POST', path: '/payments', body: order, key: 'SECRET_KEY' }, language)
    const { body } = await api.request('GET /payments?per_page=1')
    const [payment] = body.data
    if (language === 'shell') expect(created.id).toBe(payment.id)
    expect(payment).toMatchObject({ amount: 1000, status: 'captured' })
    const env = { PAYMENT: payment.id }
    await run(
      { method: 'GET', path: '/payments', query: { per_page: 1, status: 'captured' }, key: 'SECRET_KEY' },
      language,
    )
    await run({ method: 'GET', path: '/payments/{id}', key: 'SECRET_KEY' }, language, env)
    const note = { description: "It's 100% & more", metadata: { a: true, b: null } }
    await run(
      { method: 'PATCH', path: '/payments/{id}', body: { description: note.description }, key: 'SECRET_KEY' },
      language,
      env,
    )
    expect((await api.request(`GET /payments/${payment.id}`)).body.description).toBe(note.description)
    await run({ method: 'POST', path: '/payments/{id}/refund', body: {}, key: 'SECRET_KEY' }, language, env)
    expect((await api.request(`GET /payments/${payment.id}`)).body.status).toBe('refunded')
    const { body: webhook } = await api.request('POST /webhooks', {
      json: { url: 'http://127.0.0.1:9/', event_list: ['ping'] },
    })
    await run({ method: 'DELETE', path: '/webhooks/{id}', key: 'SECRET_KEY' }, language, { WEBHOOK: webhook.id })
    expect((await api.request(`GET /webhooks/${webhook.id}`)).status).toBe(404)
  })
})
