import { describe, expect, test } from 'vitest'
import {
  type Application,
  type ApplicationRecord,
  application_statuses,
  newRecord,
  reopenApplication,
  submit,
  updateRecord,
} from '#shared/domain/application.ts'

const NOW = Date.parse('2030-01-02T03:00:00.500Z')
const AT = '2030-01-02T03:00:00Z'
const BEFORE = '2029-01-01T00:00:00Z'

const record = (fields: Partial<ApplicationRecord> = {}): ApplicationRecord => ({
  ...newRecord('site_information', null, Date.parse(BEFORE)),
  version: 2,
  fields: { site_name: 'Shop', sctl_accepted: false, proofs: ['fil_1'] },
  ...fields,
})

test('a new record has no fields', () => {
  expect(newRecord('company_information', 'com_1', NOW)).toEqual({
    ...{ version: 0, name: 'company_information', id: 'com_1', fields: {}, status: 'pending' },
    ...{ created_at: AT, updated_at: AT },
  })
})

describe('updateRecord', () => {
  test.each(application_statuses)('makes a record that is %s pending', (status) => {
    expect(updateRecord(record({ status }), {}, NOW)).toEqual(record({ status: 'pending', updated_at: AT }))
  })

  test.each<[object, object]>([
    [{ site_name: 'New' }, { site_name: 'New', sctl_accepted: false, proofs: ['fil_1'] }],
    [{ site_url: 'https://shop.example' }, { ...record().fields, site_url: 'https://shop.example' }],
    [{ site_name: null, proofs: null }, { sctl_accepted: false }],
    [
      { site_name: '', sctl_accepted: true },
      { site_name: '', sctl_accepted: true, proofs: ['fil_1'] },
    ],
    [{ unknown_before: null }, record().fields],
  ])('%j', (named, fields) => {
    expect(updateRecord(record(), { ...named }, NOW).fields).toStrictEqual(fields)
  })
})

describe('reopenApplication', () => {
  test.each(application_statuses)('withdraws a submitted application that is %s', (status) => {
    expect(reopenApplication({ version: 3, status, submitted_at: BEFORE })).toEqual({
      ...{ version: 3, status: 'pending', submitted_at: null },
    })
  })

  test('changes nothing that is not submitted', () => {
    expect(reopenApplication(undefined)).toBeUndefined()
    expect(reopenApplication({ version: 3, status: 'pending', submitted_at: null })).toBeUndefined()
  })
})

describe('submit', () => {
  const application: Application = { version: 3, status: 'pending', submitted_at: null }

  test.each(application_statuses)('sets the application and all its records to %s', (status) => {
    const records = [record(), record({ name: 'company_information', id: 'com_1', status: 'rejected' })]
    expect(submit(application, { records, missing: [] }, status, NOW)).toEqual({
      next: { version: 3, status, submitted_at: AT },
      records: records.map((each) => ({ ...each, status, updated_at: AT })),
    })
  })

  test('refuses an incomplete application, and names every missing field', () => {
    const missing = ['site_information[site_url]', 'company_information[company_name]']
    const refusal = { code: 'missing_parameter', param: missing[0] }
    const details = { [missing[0]!]: 'is required', [missing[1]!]: 'is required' }
    expect(() => submit(application, { records: [], missing }, 'pending', NOW)).toThrow(
      expect.objectContaining({ ...refusal, details }),
    )
  })
})
