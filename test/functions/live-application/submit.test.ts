import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { askAs } from '#test/fixtures/route-requests.ts'
import { wholeApplication } from '#test/fixtures/whole-application.ts'
import { aFile } from '#test/functions/live-application/record-suite.ts'

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())

/** Creates every record that an application needs, as the merchant of a key. */
async function complete(key: string): Promise<void> {
  const records = wholeApplication(await aFile(api, key))
  for (const [record, content] of Object.entries(records)) await askAs(api, key)(`POST /${record}`, content)
}

const submit = (key: string, json: object = {}) => api.request('POST /live_application/submit', { key, json })
const newKey = async () => (await api.newMerchants()).test.secret_key

describe('POST /live_application/submit', () => {
  test('names every missing field in one error and submits nothing', async () => {
    const key = await newKey()
    const { body: before } = await api.request('GET /live_application', { key })
    const { status, body } = await submit(key)
    expect(status).toBe(422)
    expect(body.error).toMatchObject({ code: 'missing_parameter', param: before.requested_fields[0] })
    const { code, message, param, details } = body.error
    expect(details.errors.map((fault: { param: string }) => fault.param)).toEqual(before.requested_fields)
    expect(details.errors[0]).toEqual({ code, message, param })
    expect(message).toMatch(
      /^[a-z_/[\]]+ is missing\. Send it with POST \/live_application\/[a-z_/]+, then submit again\.$/,
    )
    expect(before.requested_fields.length).toBeGreaterThan(30)
    expect((await api.request('GET /live_application', { key })).body).toEqual(before)
  })

  test('keeps the application pending until it is examined', async () => {
    const key = await newKey()
    await complete(key)
    const { status, body } = await submit(key)
    expect(status).toBe(200)
    expect(body).toEqual({
      resource: 'live_application',
      status: 'pending',
      requested_fields: [],
      rejection_reason: null,
      submitted_at: '2030-01-02T12:00:00.000+09:00',
    })
    expect((await api.request('GET /live_application', { key })).body).toEqual(body)
  })

  test.each(['approved', 'rejected', 'pending'])(
    'sets the status %s of the application and of its records in test mode',
    async (status) => {
      const key = await newKey()
      await complete(key)
      expect((await submit(key, { simulate_status: status })).body.status).toBe(status)
      for (const record of [
        'site_information',
        'company_information',
        'personal_information',
        'bank_account_information',
      ])
        expect((await api.request(`GET /${record}`, { key })).body.status).toBe(status)
    },
  )

  test('sets the application to pending when a record changes, so that it must be submitted again', async () => {
    const key = await newKey()
    await complete(key)
    await submit(key, { simulate_status: 'approved' })
    const json = { zengin_account_number: '9999999' }
    expect((await api.request('PATCH /bank_account_information', { key, json })).body.status).toBe('pending')
    const { body } = await api.request('GET /live_application', { key })
    expect(body).toMatchObject({ status: 'pending', submitted_at: null, requested_fields: [] })
    expect((await submit(key, { simulate_status: 'approved' })).body.status).toBe('approved')
  })

  test('keeps an approved application approved when it is submitted again unchanged', async () => {
    const key = await newKey()
    await complete(key)
    const { body: approved } = await submit(key, { simulate_status: 'approved' })
    expect((await submit(key)).body).toEqual(approved)
    expect((await api.request('GET /site_information', { key })).body.status).toBe('approved')
    expect((await submit(key, { simulate_status: 'pending' })).body.status).toBe('pending')
  })

  test.each(['PATCH', 'POST'])('takes a rejected application again after a %s corrects it', async (method) => {
    const key = await newKey()
    await complete(key)
    const { body: rejected } = await submit(key, { simulate_status: 'rejected' })
    expect(rejected).toMatchObject({ status: 'rejected', rejection_reason: 'The rejection is simulated.' })
    const json = { site_url: 'https://corrected.example.com' }
    expect((await api.request(`${method} /site_information`, { key, json })).body.status).toBe('pending')
    expect((await api.request('GET /live_application', { key })).body).toEqual({ ...rejected, submitted_at: null })
    const { body: again } = await submit(key)
    expect(again).toEqual({ ...rejected, status: 'pending', rejection_reason: null })
    expect((await api.request('GET /live_application', { key })).body).toEqual(again)
  })

  test('refuses simulate_status in live mode and an unknown simulate_status', async () => {
    const live = await submit(api.live.secret_key, { simulate_status: 'approved' })
    expect(live.body.error).toMatchObject({ code: 'invalid_parameter', param: 'simulate_status' })
    const unknown = await submit(await newKey(), { simulate_status: 'granted' })
    expect(unknown.body.error).toMatchObject({ code: 'invalid_parameter', param: 'simulate_status' })
  })
})
