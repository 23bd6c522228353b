/** What a field of an onboarding record is. Each kind has its samples below. */
export type FieldKind =
  | 'text'
  | 'short_text'
  | 'long_text'
  | 'kana'
  | 'url'
  | 'email'
  | 'date'
  | 'time'
  | 'country'
  | 'currency'
  | 'integer'
  | 'integer_as_text'
  | 'boolean'
  | 'files'
  | 'private_file'
  | 'corporation_type'
  | 'account_type'

const fieldsOf = (kinds: Partial<Record<FieldKind, string>>): Readonly<Record<string, FieldKind>> =>
  Object.fromEntries(
    Object.entries(kinds).flatMap(([kind, names]) =>
      names
        .trim()
        .split(/\s+/)
        .map((name) => [name, kind as FieldKind]),
    ),
  )

/** Every field of every record that can be sent, with its kind. */
export const onboarding_tables = {
  site_information: fieldsOf({
    text: `site_name site_name_alphabet store_postal_code store_prefecture_state store_city store_address
      store_building_name`,
    kana: 'site_name_kana store_prefecture_state_kana store_city_kana store_address_kana store_building_name_kana',
    short_text: 'site_integration_type',
    long_text: 'site_product_description',
    url: 'site_url sctl_url',
    date: 'establishment_date',
    country: 'store_country',
    integer: `site_annual_sales site_average_transactional_value site_minimum_product_pricing_cents
      site_maximum_product_pricing_cents`,
    currency: `site_annual_sales_currency site_average_transactional_currency site_minimum_product_pricing_currency
      site_maximum_product_pricing_currency`,
    boolean: 'aup_accepted',
  }),
  company_information: fieldsOf({
    corporation_type: 'corporation_type',
    text: `company_name company_name_alphabet registration_number company_phone company_postal_code
      company_prefecture_state company_city company_address company_address_building_name office_name contact_phone`,
    kana: `company_name_kana company_prefecture_state_kana company_city_kana company_address_kana
      company_address_building_name_kana`,
    long_text: 'industry_description business_description',
    integer: 'share_capital_amount employee_number',
    currency: 'share_capital_currency',
    country: 'company_country',
    url: 'company_url',
    date: 'establishment_date',
    email: 'contact_email',
    files: 'incorporation_certificates sole_proprietor_proofs',
  }),
  personal_information: fieldsOf({
    text: `representative_first_name representative_last_name representative_postal_code
      representative_prefecture_state representative_city representative_address representative_address_building_name
      representative_phone`,
    kana: `representative_first_name_kana representative_last_name_kana representative_prefecture_state_kana
      representative_city_kana representative_address_kana representative_address_building_name_kana`,
    date: 'representative_dob',
    short_text: 'representative_gender',
    country: 'representative_country',
    private_file: 'identity_front identity_back',
  }),
  bank_account_information: fieldsOf({
    short_text: 'transfer_type',
    text: `zengin_bank_name zengin_bank_code zengin_branch_name zengin_branch_code zengin_account_number
      zengin_account_holder swift_bank_name swift_branch_name swift_branch_address swift_account_number
      swift_account_holder swift_account_address swift_bic_code sepa_iban sepa_swift_bic_code sepa_account_holder`,
    kana: 'zengin_account_holder_kana',
    account_type: 'zengin_account_type',
  }),
  'payment_methods/credit_card': fieldsOf({
    boolean: `has_processed_cc_before conducts_door_to_door_sales conducts_telemarketing conducts_mlm_scheme
      conducts_business_opportunity_scheme violated_consumer_contract_act`,
    files: 'pci_compliance_proofs',
  }),
  'payment_methods/convenience_store': fieldsOf({
    time: 'open_time close_time',
    integer_as_text: 'expected_number_of_payments',
  }),
  'payment_methods/chain_store': fieldsOf({ time: 'open_time close_time' }),
  'payment_methods/wallet': fieldsOf({ boolean: 'accepted_wallet_tos' }),
} as const

export type RecordPath = keyof typeof onboarding_tables

/** What is sent of a kind of field, what comes back, and what is refused. `file` stands for the id of a file of one's own. */
export interface Samples {
  readonly taken: readonly (readonly [sent: unknown, returned: unknown])[]
  readonly refused: readonly unknown[]
}

const free = (max: number): Samples => ({
  taken: [
    ['Ein Kännchen, 二つ', 'Ein Kännchen, 二つ'],
    [' ', ' '],
    ['x'.repeat(max), 'x'.repeat(max)],
  ],
  refused: ['x'.repeat(max + 1), { a: 'b' }, ['x']],
})
const words = (...given: string[]): Samples => ({
  taken: given.map((word) => [word, word]),
  refused: ['other', 'x'.repeat(300), [given[0]]],
})
const integers: readonly string[] = ['0', '1', '2147483648', '9007199254740993', '9223372036854775807']
const not_integers = ['-1', '1.5', 'x', '9223372036854775808', '1e3', [1], true, `1${'0'.repeat(50)}`]

/** Samples of each kind, sent as text: what forms say. JSON may say numbers and booleans by themselves. */
export const samples_of: Readonly<Record<FieldKind, Samples>> = {
  text: free(255),
  short_text: free(64),
  long_text: free(2_000),
  kana: { taken: [['ヤマダ', 'ヤマダ']], refused: ['ヤ'.repeat(256), ['x']] },
  url: {
    taken: [['https://shop.example.com/law?a=1', 'https://shop.example.com/law?a=1']],
    refused: ['shop', 'ftp://shop.example.com', 'javascript:alert(1)', ['https://shop.example.com']],
  },
  email: { taken: [['help@example.com', 'help@example.com']], refused: ['help', 'a@b', ['help@example.com']] },
  date: {
    taken: [
      ['2024-02-29', '2024-02-29'],
      ['1900-01-01', '1900-01-01'],
    ],
    refused: ['2023-02-29', '2024-13-01', '29.2.2024', '2024-02-29T00:00:00Z', ['2024-02-29']],
  },
  time: {
    taken: [
      ['00:00', '00:00'],
      ['23:59', '23:59'],
    ],
    refused: ['24:00', '9:00', '09:60', 'noon', ['09:00']],
  },
  country: { taken: [['JP', 'JP']], refused: ['jp', 'JPN', 'J', ['JP']] },
  currency: { taken: [['JPY', 'JPY']], refused: ['jpy', 'YEN', 'XXX', ['JPY']] },
  integer: { taken: integers.map((digits) => [digits, digits]), refused: not_integers },
  integer_as_text: { taken: integers.map((digits) => [digits, digits]), refused: not_integers },
  boolean: {
    taken: [
      ['true', true],
      ['false', false],
    ],
    refused: ['yes', '2', ['true']],
  },
  files: {
    taken: [
      [['file'], ['file']],
      [
        ['file', 'file'],
        ['file', 'file'],
      ],
    ],
    refused: [['fil_unknown'], 'fil_unknown', ['stranger'], ['x y'], { a: 'b' }],
  },
  private_file: { taken: [['file', undefined]], refused: ['fil_unknown', 'stranger', ['file'], 'x y'] },
  corporation_type: words('corporation', 'sole_proprietor'),
  account_type: words('ordinary', 'checking'),
}

/** What is shown of a field that is not set; undefined: nothing. */
export function unsetOf(record: RecordPath, kind: FieldKind): unknown {
  if (kind === 'private_file' || record.startsWith('payment_methods/')) return undefined
  if (kind === 'files') return []
  return record === 'bank_account_information' ? '' : null
}
