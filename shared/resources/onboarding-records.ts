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
    site_name: text_255("The name of the shop's site."),
    site_name_kana: kana('The name of the site in katakana.'),
    site_name_alphabet: text_255('The name of the site in Latin letters.'),
    site_url: web_address('The address of the site.'),
    site_integration_type: text_64('How the site is integrated with the service.'),
    establishment_date: date('The date on which the shop was established.'),
    store_country: country('The country of the shop, as a code of two letters.'),
    store_postal_code: text_255('The postal code of the shop.'),
    store_prefecture_state: text_255('The prefecture or state of the shop.'),
    store_prefecture_state_kana: kana('The prefecture or state of the shop in katakana.'),
    store_city: text_255('The city of the shop.'),
    store_city_kana: kana('The city of the shop in katakana.'),
    store_address: text_255('The street address of the shop.'),
    store_address_kana: kana('The street address of the shop in katakana.'),
    store_building_name: text_255('The name of the building of the shop.'),
    store_building_name_kana: kana('The name of the building of the shop in katakana.'),
    site_product_description: text_2000('What the site sells.'),
    site_annual_sales: integer_64('The forecast of annual sales in cents, the smallest unit of the currency.'),
    site_annual_sales_currency: currency_code('The currency of `site_annual_sales`, as an ISO 4217 code.'),
    site_average_transactional_value: integer_64(
      'The average value of a transaction in cents, the smallest unit of the currency.',
    ),
    site_average_transactional_currency: currency_code(
      'The currency of `site_average_transactional_value`, as an ISO 4217 code.',
    ),
    site_minimum_product_pricing_cents: integer_64(
      'The price of the cheapest product in cents, the smallest unit of the currency.',
    ),
    site_minimum_product_pricing_currency: currency_code(
      'The currency of `site_minimum_product_pricing_cents`, as an ISO 4217 code.',
    ),
    site_maximum_product_pricing_cents: integer_64(
      'The price of the most expensive product in cents, the smallest unit of the currency.',
    ),
    site_maximum_product_pricing_currency: currency_code(
      'The currency of `site_maximum_product_pricing_cents`, as an ISO 4217 code.',
    ),
    sctl_url: web_address(
      'The address of the page with the notation that the Specified Commercial Transactions Law requires. It is checked during the examination.',
    ),
    aup_accepted: flag('Whether the merchant accepted the acceptable use policy.'),
  },
  also_shown: { sales_permit_required: false },
}

/** The company or sole proprietor behind the shop. */
const company_information: OnboardingRecord = {
  has_id: true,
  fields: {
    corporation_type: one_of(
      'corporation',
      'sole_proprietor',
    )('Whether the merchant is a corporation or a sole proprietor.'),
    company_name: text_255('The name of the company.'),
    company_name_kana: kana('The name of the company in katakana.'),
    company_name_alphabet: text_255('The name of the company in Latin letters.'),
    share_capital_amount: integer_64('The amount of the share capital.'),
    share_capital_currency: currency_code('The currency of the share capital, as an ISO 4217 code.'),
    registration_number: text_255('The number under which the company is registered.'),
    company_phone: text_255('The telephone number of the company.'),
    company_country: country('The country of the company, as a code of two letters.'),
    company_postal_code: text_255('The postal code of the company.'),
    company_prefecture_state: text_255('The prefecture or state of the company.'),
    company_prefecture_state_kana: kana('The prefecture or state of the company in katakana.'),
    company_city: text_255('The city of the company.'),
    company_city_kana: kana('The city of the company in katakana.'),
    company_address: text_255('The street address of the company.'),
    company_address_kana: kana('The street address of the company in katakana.'),
    company_address_building_name: text_255('The name of the building of the company.'),
    company_address_building_name_kana: kana('The name of the building of the company in katakana.'),
    company_url: web_address("The address of the company's own site."),
    industry_description: text_2000('The industry in which the company works.'),
    business_description: text_2000('What the company does.'),
    employee_number: integer_64('The number of employees.'),
    establishment_date: date('The date on which the company was established.'),
    office_name: text_255('The name of the department for customer support.'),
    contact_email: email_address('The e-mail address of customer support.'),
    contact_phone: text_255('The telephone number of customer support.'),
    incorporation_certificates: file_list(
      'The ids of uploaded files with the certificates of incorporation, at most 20.',
    ),
    sole_proprietor_proofs: file_list(
      'The ids of uploaded files that prove the business of a sole proprietor, at most 20.',
    ),
  },
}

/** The representative director. */
const personal_information: OnboardingRecord = {
  fields: {
    representative_first_name: text_255('The first name of the representative director.'),
    representative_first_name_kana: kana('The first name of the representative director in katakana.'),
    representative_last_name: text_255('The last name of the representative director.'),
    representative_last_name_kana: kana('The last name of the representative director in katakana.'),
    representative_dob: date('The date of birth of the representative director.'),
    representative_gender: text_64('The gender of the representative director, such as `female`.'),
    representative_country: country('The country where the representative director lives, as a code of two letters.'),
    representative_postal_code: text_255('The postal code of the home of the representative director.'),
    representative_prefecture_state: text_255('The prefecture or state where the representative director lives.'),
    representative_prefecture_state_kana: kana(
      'The prefecture or state where the representative director lives, in katakana.',
    ),
    representative_city: text_255('The city where the representative director lives.'),
    representative_city_kana: kana('The city where the representative director lives, in katakana.'),
    representative_address: text_255('The street address of the home of the representative director.'),
    representative_address_kana: kana('The street address of the home of the representative director in katakana.'),
    representative_address_building_name: text_255('The name of the building where the representative director lives.'),
    representative_address_building_name_kana: kana(
      'The name of the building where the representative director lives, in katakana.',
    ),
    representative_phone: text_255('The telephone number of the representative director.'),
    identity_front: private_file(
      'The id of an uploaded file with the front of a photo ID that a government issued. It is never returned.',
    ),
    identity_back: private_file(
      'The id of an uploaded file with the back of the photo ID. A passport needs none. It is never returned.',
    ),
  },
}

const bank_text = of_bank(text_255)

/** The bank account that settlements are paid to: in Japan (zengin), abroad (swift), or in Europe (sepa). */
const bank_account_information: OnboardingRecord = {
  fields: {
    transfer_type: of_bank(text_64)(
      '`domestic`, also if absent, for an account in Japan, with the `zengin_` fields. Any other text, such as `international`, for an account abroad, with the `sepa_` or the `swift_` fields.',
    ),
    zengin_bank_name: bank_text('The name of the bank in Japan.'),
    zengin_bank_code: bank_text('The code of the bank in Japan.'),
    zengin_branch_name: bank_text('The name of the branch of the bank in Japan.'),
    zengin_branch_code: bank_text('The code of the branch of the bank in Japan.'),
    zengin_account_type: of_bank(one_of('ordinary', 'checking'))('The type of the account in Japan.'),
    zengin_account_number: bank_text('The number of the account in Japan.'),
    zengin_account_holder: bank_text('The holder of the account in Japan.'),
    zengin_account_holder_kana: of_bank(kana)('The holder of the account in Japan, in katakana.'),
    swift_bank_name: bank_text('The name of the bank outside Japan.'),
    swift_branch_name: bank_text('The name of the branch of the bank outside Japan.'),
    swift_branch_address: bank_text('The address of the branch of the bank outside Japan.'),
    swift_account_number: bank_text('The number of the account outside Japan.'),
    swift_account_holder: bank_text('The holder of the account outside Japan.'),
    swift_account_address: bank_text('The address of the holder of the account outside Japan.'),
    swift_bic_code: bank_text('The BIC of the bank outside Japan.'),
    sepa_iban: bank_text('The IBAN of the account in Europe.'),
    sepa_swift_bic_code: bank_text('The BIC of the bank in Europe.'),
    sepa_account_holder: bank_text('The holder of the account in Europe.'),
  },
}

/** The information that is required from a merchant who accepts credit cards. */
const credit_card: OnboardingRecord = {
  echoes: true,
  fields: {
    has_processed_cc_before: flag('Whether the merchant has accepted credit cards before.'),
    conducts_door_to_door_sales: flag('Whether the merchant sells door to door.'),
    conducts_telemarketing: flag('Whether the merchant sells by telephone.'),
    conducts_mlm_scheme: flag('Whether the merchant sells through multi-level marketing.'),
    conducts_business_opportunity_scheme: flag('Whether the merchant sells business opportunities.'),
    violated_consumer_contract_act: flag('Whether the merchant has violated the Consumer Contract Act.'),
    pci_compliance_proofs: file_list('The ids of uploaded files that prove compliance with PCI DSS, at most 20.'),
  },
}

/** The information that is required from a merchant who accepts payments in convenience stores. */
const convenience_store: OnboardingRecord = {
  echoes: true,
  fields: {
    open_time: time('The time of day at which customer service opens.'),
    close_time: time('The time of day at which customer service closes.'),
    expected_number_of_payments: integer_as_text('The number of payments that is expected in a month.'),
  },
}

/** The information that is required from a merchant with physical shops. */
const chain_store: OnboardingRecord = {
  echoes: true,
  fields: {
    open_time: time('The time of day at which the shops open.'),
    close_time: time('The time of day at which the shops close.'),
  },
}

/** The information that is required from a merchant who accepts wallets. */
const wallet: OnboardingRecord = {
  echoes: true,
  fields: {
    accepted_wallet_tos: flag('Whether the merchant accepted the terms of service of the wallets.'),
  },
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
