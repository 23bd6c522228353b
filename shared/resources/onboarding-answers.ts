import * as v from 'valibot'
import { application_statuses } from '#shared/domain/application.ts'
import { described, resourceName, shown_count, shown_currency, shown_time_in_japan, shownId } from './answer-fields.ts'
import type { RecordName } from './onboarding-records.ts'

/** A field that is null while it is unset. */
const unsetAsNull = (schema: v.GenericSchema<string | number | boolean>, text: string) =>
  described(v.nullable(schema), `${text} Null if unset.`)

const textOrNull = (text: string) => unsetAsNull(v.string(), text)
const dateOrNull = (text: string) => unsetAsNull(v.pipe(v.string(), v.isoDate()), text)
const countryOrNull = (text: string) => unsetAsNull(v.pipe(v.string(), v.regex(/^[A-Z]{2}$/)), `${text} Two letters.`)
const countOrNull = (text: string) => unsetAsNull(shown_count, text)
const currencyOrNull = (text: string) => unsetAsNull(shown_currency, text)
const flagOrNull = (text: string) => unsetAsNull(v.boolean(), text)
const fileIds = (text: string) => described(v.array(shownId('file')), text)

const bankText = (text: string) => described(v.string(), `${text} Empty text if unset.`)

/** A field of the record of a payment method, which shows only its stored fields. */
const echoed = <Schema extends v.GenericSchema>(schema: Schema, text: string) =>
  v.exactOptional(described(schema, `${text} Absent if unset.`))

const flag = (text: string) => echoed(v.boolean(), text)
const hour = (text: string) => echoed(v.pipe(v.string(), v.regex(/^\d\d:\d\d$/)), text)

const status = described(
  v.picklist(application_statuses),
  'Result of the examination of the record. `pending` until then, and after the record has changed.',
)
const created_at = described(shown_time_in_japan, 'Time in Japan at which the record was created.')
const updated_at = described(shown_time_in_japan, 'Time in Japan of the last change of the record.')

/** The shop's site. */
export const SiteInformationResource = described(
  v.strictObject({
    resource: resourceName('site_information'),
    status,
    site_name: textOrNull('Name of the site.'),
    site_name_kana: textOrNull('Reading of the name in kana.'),
    site_name_alphabet: textOrNull('Name of the site in Latin letters.'),
    site_url: textOrNull('URL of the site.'),
    site_integration_type: textOrNull('How the site is integrated, in your own words.'),
    establishment_date: dateOrNull('Date on which the shop was established.'),
    store_country: countryOrNull('Country of the shop.'),
    store_postal_code: textOrNull('Postal code of the shop.'),
    store_prefecture_state: textOrNull('Prefecture or state of the shop.'),
    store_prefecture_state_kana: textOrNull('Reading of the prefecture or state in kana.'),
    store_city: textOrNull('City of the shop.'),
    store_city_kana: textOrNull('Reading of the city in kana.'),
    store_address: textOrNull('Street address of the shop.'),
    store_address_kana: textOrNull('Reading of the street address in kana.'),
    store_building_name: textOrNull('Building of the shop.'),
    store_building_name_kana: textOrNull('Reading of the building in kana.'),
    site_product_description: textOrNull('What the site sells.'),
    site_annual_sales: countOrNull('Expected annual sales, in cents.'),
    site_annual_sales_currency: currencyOrNull('Currency of the annual sales.'),
    site_average_transactional_value: countOrNull('Average value of a purchase, in cents.'),
    site_average_transactional_currency: currencyOrNull('Currency of the average value.'),
    site_minimum_product_pricing_cents: countOrNull('Lowest price of a product, in cents.'),
    site_minimum_product_pricing_currency: currencyOrNull('Currency of the lowest price.'),
    site_maximum_product_pricing_cents: countOrNull('Highest price of a product, in cents.'),
    site_maximum_product_pricing_currency: currencyOrNull('Currency of the highest price.'),
    sctl_url: textOrNull(
      'URL of the notation that the Specified Commercial Transactions Law requires. The examination checks this page.',
    ),
    aup_accepted: flagOrNull('Whether you accepted the acceptable use policy.'),
    sales_permit_required: described(v.boolean(), 'Whether the examination requires a sales permit. Always false.'),
    created_at,
    updated_at,
  }),
  "The shop's site, as part of the application for live payments.",
)

/** The company or sole proprietor behind the shop. */
export const CompanyInformationResource = described(
  v.strictObject({
    id: described(shownId('company'), 'Id of the record.'),
    resource: resourceName('company_information'),
    status,
    corporation_type: described(
      v.nullable(v.picklist(['corporation', 'sole_proprietor'])),
      'Whether the business is a corporation or a sole proprietor. Null if unset.',
    ),
    company_name: textOrNull('Name of the company.'),
    company_name_kana: textOrNull('Reading of the name in kana.'),
    company_name_alphabet: textOrNull('Name of the company in Latin letters.'),
    share_capital_amount: countOrNull('Share capital.'),
    share_capital_currency: currencyOrNull('Currency of the share capital.'),
    registration_number: textOrNull('Registration number of the company.'),
    company_phone: textOrNull('Phone number of the company.'),
    company_country: countryOrNull('Country of the company.'),
    company_postal_code: textOrNull('Postal code of the company.'),
    company_prefecture_state: textOrNull('Prefecture or state of the company.'),
    company_prefecture_state_kana: textOrNull('Reading of the prefecture or state in kana.'),
    company_city: textOrNull('City of the company.'),
    company_city_kana: textOrNull('Reading of the city in kana.'),
    company_address: textOrNull('Street address of the company.'),
    company_address_kana: textOrNull('Reading of the street address in kana.'),
    company_address_building_name: textOrNull('Building of the company.'),
    company_address_building_name_kana: textOrNull('Reading of the building in kana.'),
    company_url: textOrNull('URL of the company.'),
    industry_description: textOrNull('Industry of the company.'),
    business_description: textOrNull('Business of the company.'),
    employee_number: countOrNull('Number of employees.'),
    establishment_date: dateOrNull('Date on which the company was established.'),
    office_name: textOrNull('Name of the customer-support department.'),
    contact_email: textOrNull('E-mail address of customer support.'),
    contact_phone: textOrNull('Phone number of customer support.'),
    incorporation_certificates: fileIds('Ids of the files that certify the incorporation. Empty if there are none.'),
    sole_proprietor_proofs: fileIds('Ids of the files that prove the sole proprietorship. Empty if there are none.'),
    created_at,
    updated_at,
  }),
  'The company or sole proprietor, as part of the application for live payments.',
)

/** The representative director. The files of the identity document are not shown. */
export const PersonalInformationResource = described(
  v.strictObject({
    resource: resourceName('personal_information'),
    status,
    representative_first_name: textOrNull('First name of the representative director.'),
    representative_first_name_kana: textOrNull('Reading of the first name in kana.'),
    representative_last_name: textOrNull('Last name of the representative director.'),
    representative_last_name_kana: textOrNull('Reading of the last name in kana.'),
    representative_dob: dateOrNull('Date of birth.'),
    representative_gender: textOrNull('Gender, such as `female`.'),
    representative_country: countryOrNull('Country of residence.'),
    representative_postal_code: textOrNull('Postal code of the residence.'),
    representative_prefecture_state: textOrNull('Prefecture or state of the residence.'),
    representative_prefecture_state_kana: textOrNull('Reading of the prefecture or state in kana.'),
    representative_city: textOrNull('City of the residence.'),
    representative_city_kana: textOrNull('Reading of the city in kana.'),
    representative_address: textOrNull('Street address of the residence.'),
    representative_address_kana: textOrNull('Reading of the street address in kana.'),
    representative_address_building_name: textOrNull('Building of the residence.'),
    representative_address_building_name_kana: textOrNull('Reading of the building in kana.'),
    representative_phone: textOrNull('Phone number of the representative director.'),
    created_at,
    updated_at,
  }),
  'The representative director, as part of the application for live payments.',
)

/** The bank account that settlements are paid to. */
export const BankAccountInformationResource = described(
  v.strictObject({
    resource: resourceName('bank_account_information'),
    status,
    transfer_type: bankText('Kind of transfer: `domestic` for an account in Japan.'),
    zengin_bank_name: bankText('Name of the bank in Japan.'),
    zengin_bank_code: bankText('Code of the bank in Japan.'),
    zengin_branch_name: bankText('Name of the branch.'),
    zengin_branch_code: bankText('Code of the branch.'),
    zengin_account_type: described(
      v.picklist(['', 'ordinary', 'checking']),
      'Kind of the account in Japan. Empty text if unset.',
    ),
    zengin_account_number: bankText('Number of the account in Japan.'),
    zengin_account_holder: bankText('Holder of the account in Japan.'),
    zengin_account_holder_kana: bankText('Holder of the account in Japan, in kana.'),
    swift_bank_name: bankText('Name of the bank abroad.'),
    swift_branch_name: bankText('Name of the branch abroad.'),
    swift_branch_address: bankText('Address of the branch abroad.'),
    swift_account_number: bankText('Number of the account abroad.'),
    swift_account_holder: bankText('Holder of the account abroad.'),
    swift_account_address: bankText('Address of the holder of the account abroad.'),
    swift_bic_code: bankText('SWIFT code (BIC) of the bank abroad.'),
    sepa_iban: bankText('IBAN of the account in Europe.'),
    sepa_swift_bic_code: bankText('SWIFT code (BIC) of the bank in Europe.'),
    sepa_account_holder: bankText('Holder of the account in Europe.'),
    created_at,
    updated_at,
  }),
  'The bank account that settlements are paid to.',
)

/** The information about credit cards. */
export const OnboardingCreditCardResource = described(
  v.strictObject({
    has_processed_cc_before: flag('Whether the merchant has accepted credit cards before.'),
    conducts_door_to_door_sales: flag('Whether the merchant sells at the door.'),
    conducts_telemarketing: flag('Whether the merchant sells by telephone.'),
    conducts_mlm_scheme: flag('Whether the merchant conducts multi-level marketing.'),
    conducts_business_opportunity_scheme: flag('Whether the merchant sells business opportunities.'),
    violated_consumer_contract_act: flag('Whether the merchant has violated the Consumer Contract Act.'),
    pci_compliance_proofs: echoed(v.array(shownId('file')), 'Ids of the files that prove PCI DSS compliance.'),
  }),
  'What you stored about credit cards. Only stored fields are shown.',
)

/** The information about payments in convenience stores. */
export const OnboardingConvenienceStoreResource = described(
  v.strictObject({
    open_time: hour('Time at which customer service opens: `HH:MM`.'),
    close_time: hour('Time at which customer service closes: `HH:MM`.'),
    expected_number_of_payments: echoed(
      v.pipe(v.string(), v.regex(/^\d+$/)),
      'Expected number of payments per month, as text.',
    ),
  }),
  'What you stored about payments in convenience stores. Only stored fields are shown.',
)

/** The information about physical shops. */
export const OnboardingChainStoreResource = described(
  v.strictObject({
    open_time: hour('Time at which the shops open: `HH:MM`.'),
    close_time: hour('Time at which the shops close: `HH:MM`.'),
  }),
  'What you stored about physical shops. Only stored fields are shown.',
)

/** The information about wallets. */
export const OnboardingWalletResource = described(
  v.strictObject({
    accepted_wallet_tos: flag('Whether the merchant accepted the terms of service for wallets.'),
  }),
  'What you stored about wallets. Only stored fields are shown.',
)

/** The schemas of the records of an application as a merchant sees them, by their paths. */
export const onboarding_resources = {
  site_information: SiteInformationResource,
  company_information: CompanyInformationResource,
  personal_information: PersonalInformationResource,
  bank_account_information: BankAccountInformationResource,
  'payment_methods/credit_card': OnboardingCreditCardResource,
  'payment_methods/convenience_store': OnboardingConvenienceStoreResource,
  'payment_methods/chain_store': OnboardingChainStoreResource,
  'payment_methods/wallet': OnboardingWalletResource,
} as const satisfies Readonly<Record<RecordName, v.GenericSchema<object>>>
