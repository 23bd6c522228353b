import { describe, expect, test } from 'vitest'
import { type ApplicationRecord, application_statuses, newRecord, updateRecord } from '#shared/domain/application.ts'

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
