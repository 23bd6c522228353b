import {
  country,
  currency_code,
  date,
  email_address,
  type Field,
  file_list,
  flag,
  integer_64,
  integer_as_text,
  kana,
  of_bank,
  one_of,
  private_file,
  text_64,
  text_255,
  text_2000,
  time,
  web_address,
} from './onboarding-fields.ts'

/**
 * One record of an application for live payments: its fields in the order of the API reference, and how it is shown.
 */
export interface OnboardingRecord {
  readonly fields: Readonly<Record<string, Field>>
  /** Whether only the stored fields are shown, without `resource`, `status` and timestamps. */
  readonly echoes?: boolean
  /** Whether the record has an `id`. */
  readonly has_id?: boolean
  /** Fields that are shown but cannot be sent. */
  readonly also_shown?: Readonly<Record<string, boolean>>
}

/** The shop's site: what it sells, where and for how much. */
const site_information: OnboardingRecord = {
  fields: {
    site_name: text_255,
    site_name_kana: kana,
    site_name_alphabet: text_255,
    site_url: web_address,
    site_integration_type: text_64,
    establishment_date: date,
    store_country: country,
    store_postal_code: text_255,
    store_prefecture_state: text_255,
    store_prefecture_state_kana: kana,
    store_city: text_255,
    store_city_kana: kana,
    store_address: text_255,
    store_address_kana: kana,
    store_building_name: text_255,
    store_building_name_kana: kana,
    site_product_description: text_2000,
    site_annual_sales: integer_64,
    site_annual_sales_currency: currency_code,
    site_average_transactional_value: integer_64,
    site_average_transactional_currency: currency_code,
    site_minimum_product_pricing_cents: integer_64,
    site_minimum_product_pricing_currency: currency_code,
    site_maximum_product_pricing_cents: integer_64,
    site_maximum_product_pricing_currency: currency_code,
    sctl_url: web_address,
    aup_accepted: flag,
  },
  also_shown: { sales_permit_required: false },
}

/** The company or sole proprietor behind the shop. */
const company_information: OnboardingRecord = {
  has_id: true,
  fields: {
    corporation_type: one_of('corporation', 'sole_proprietor'),
    company_name: text_255,
    company_name_kana: kana,
    company_name_alphabet: text_255,
    share_capital_amount: integer_64,
    share_capital_currency: currency_code,
    registration_number: text_255,
    company_phone: text_255,
    company_country: country,
    company_postal_code: text_255,
    company_prefecture_state: text_255,
    company_prefecture_state_kana: kana,
    company_city: text_255,
    company_city_kana: kana,
    company_address: text_255,
    company_address_kana: kana,
    company_address_building_name: text_255,
    company_address_building_name_kana: kana,
    company_url: web_address,
    industry_description: text_2000,
    business_description: text_2000,
    employee_number: integer_64,
    establishment_date: date,
    office_name: text_255,
    contact_email: email_address,
    contact_phone: text_255,
    incorporation_certificates: file_list,
    sole_proprietor_proofs: file_list,
  },
}

/** The representative director. */
const personal_information: OnboardingRecord = {
  fields: {
    representative_first_name: text_255,
    representative_first_name_kana: kana,
    representative_last_name: text_255,
    representative_last_name_kana: kana,
    representative_dob: date,
    representative_gender: text_64,
    representative_country: country,
    representative_postal_code: text_255,
    representative_prefecture_state: text_255,
    representative_prefecture_state_kana: kana,
    representative_city: text_255,
    representative_city_kana: kana,
    representative_address: text_255,
    representative_address_kana: kana,
    representative_address_building_name: text_255,
    representative_address_building_name_kana: kana,
    representative_phone: text_255,
    identity_front: private_file,
    identity_back: private_file,
  },
}

const bank_text = of_bank(text_255)

/** The bank account that settlements are paid to: in Japan (zengin), abroad (swift), or in Europe (sepa). */
const bank_account_information: OnboardingRecord = {
  fields: {
    transfer_type: of_bank(text_64),
    zengin_bank_name: bank_text,
    zengin_bank_code: bank_text,
    zengin_branch_name: bank_text,
    zengin_branch_code: bank_text,
    zengin_account_type: of_bank(one_of('ordinary', 'checking')),
    zengin_account_number: bank_text,
    zengin_account_holder: bank_text,
    zengin_account_holder_kana: of_bank(kana),
    swift_bank_name: bank_text,
    swift_branch_name: bank_text,
    swift_branch_address: bank_text,
    swift_account_number: bank_text,
    swift_account_holder: bank_text,
    swift_account_address: bank_text,
    swift_bic_code: bank_text,
    sepa_iban: bank_text,
    sepa_swift_bic_code: bank_text,
    sepa_account_holder: bank_text,
  },
}

/** The information that is required from a merchant who accepts credit cards. */
const credit_card: OnboardingRecord = {
  echoes: true,
  fields: {
    has_processed_cc_before: flag,
    conducts_door_to_door_sales: flag,
    conducts_telemarketing: flag,
    conducts_mlm_scheme: flag,
    conducts_business_opportunity_scheme: flag,
    violated_consumer_contract_act: flag,
    pci_compliance_proofs: file_list,
  },
}

/** The information that is required from a merchant who accepts payments in convenience stores. */
const convenience_store: OnboardingRecord = {
  echoes: true,
  fields: { open_time: time, close_time: time, expected_number_of_payments: integer_as_text },
}

/** The information that is required from a merchant with physical shops. */
const chain_store: OnboardingRecord = {
  echoes: true,
  fields: { open_time: time, close_time: time },
}

/** The information that is required from a merchant who accepts wallets. */
const wallet: OnboardingRecord = {
  echoes: true,
  fields: { accepted_wallet_tos: flag },
}

/** The records of an application, by their paths. */
export const onboarding_records = {
  site_information,
  company_information,
  personal_information,
  bank_account_information,
  'payment_methods/credit_card': credit_card,
  'payment_methods/convenience_store': convenience_store,
  'payment_methods/chain_store': chain_store,
  'payment_methods/wallet': wallet,
} as const satisfies Readonly<Record<string, OnboardingRecord>>

export type RecordName = keyof typeof onboarding_records
