import type { ApplicationRecord } from '#shared/domain/application.ts'
import type { RecordName } from '#shared/resources/onboarding-records.ts'

type Fields = ApplicationRecord['fields']

/** The required fields of an application by record. Those of a company or bank account depend on its other fields. */
const required: Readonly<Partial<Record<RecordName, (fields: Fields) => readonly string[]>>> = {
  site_information: () => [
    'site_name',
    'site_url',
    'site_product_description',
    'site_annual_sales',
    'site_annual_sales_currency',
    'sctl_url',
    'aup_accepted',
  ],
  company_information: ({ corporation_type }) => [
    'corporation_type',
    'company_name',
    'company_phone',
    'company_country',
    'company_postal_code',
    'company_prefecture_state',
    'company_city',
    'company_address',
    'business_description',
    'contact_email',
    'contact_phone',
    ...(corporation_type === 'sole_proprietor' ? ['sole_proprietor_proofs'] : ['incorporation_certificates']),
  ],
  personal_information: () => [
    'representative_first_name',
    'representative_last_name',
    'representative_dob',
    'representative_country',
    'representative_postal_code',
    'representative_prefecture_state',
    'representative_city',
    'representative_address',
    'representative_phone',
    'identity_front',
  ],
  bank_account_information: (fields) => ['transfer_type', ...accountFields(fields)],
}

/** Returns the required fields of a bank account in Japan (Zengin), in Europe (SEPA), or elsewhere (SWIFT). */
function accountFields({ transfer_type = 'domestic', sepa_iban }: Fields): readonly string[] {
  if (transfer_type === 'domestic')
    return [
      'zengin_bank_name',
      'zengin_bank_code',
      'zengin_branch_name',
      'zengin_branch_code',
      'zengin_account_type',
      'zengin_account_number',
      'zengin_account_holder_kana',
    ]
  if (sepa_iban) return ['sepa_swift_bic_code', 'sepa_account_holder']
  return ['swift_bank_name', 'swift_account_number', 'swift_account_holder', 'swift_bic_code']
}

/** Returns the missing fields of an application, as a form spells them: `site_information[site_url]`. */
export function missingFields(fieldsOf: (name: RecordName) => Fields): string[] {
  return Object.entries(required).flatMap(([name, fields]) => {
    const stored = fieldsOf(name as RecordName)
    return fields(stored)
      .filter((field) => isMissing(stored[field]))
      .map((field) => `${name}[${field}]`)
  })
}

/** Whether a field is absent or empty. A policy that is not accepted (`false`) counts as missing, too. */
const isMissing = (stored: Fields[string] | undefined): boolean =>
  stored === undefined || stored === false || stored.valueOf() === '' || (Array.isArray(stored) && stored.length === 0)
