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

describe('GET /live_application', () => {
  test('requests every required field from a merchant without records', async () => {
    const { body } = await api.request('GET /live_application')
    expect(body).toMatchObject({ resource: 'live_application', status: 'pending', submitted_at: null })
    expect(body.rejection_reason).toBeNull()
    for (const field of ['site_information[site_url]', 'personal_information[identity_front]'])
      expect(body.requested_fields).toContain(field)
  })

  test('requests nothing once every record is complete, and requests emptied fields again', async () => {
    const { test: merchant } = await api.newMerchants()
    const key = merchant.secret_key
    await complete(key)
    const requested = async () => (await api.request('GET /live_application', { key })).body.requested_fields
    expect(await requested()).toEqual([])
    await api.request('PATCH /site_information', { key, json: { site_url: '', aup_accepted: false, site_name: '' } })
    expect(await requested()).toEqual([
      'site_information[site_name]',
      'site_information[site_url]',
      'site_information[aup_accepted]',
    ])
  })

  test.each([
    [{ corporation_type: 'sole_proprietor' }, 'company_information', ['company_information[sole_proprietor_proofs]']],
    [
      { transfer_type: 'international' },
      'bank_account_information',
      ['swift_bank_name', 'swift_account_number', 'swift_account_holder', 'swift_bic_code'].map(
        (field) => `bank_account_information[${field}]`,
      ),
    ],
    [
      { transfer_type: 'international', sepa_iban: 'DE02' },
      'bank_account_information',
      ['bank_account_information[sepa_swift_bic_code]', 'bank_account_information[sepa_account_holder]'],
    ],
  ])('requests the fields that %o makes necessary', async (json, record, fields) => {
    const { test: merchant } = await api.newMerchants()
    const key = merchant.secret_key
    await complete(key)
    await api.request(`PATCH /${record}`, { key, json })
    expect((await api.request('GET /live_application', { key })).body.requested_fields).toEqual(fields)
  })
})
