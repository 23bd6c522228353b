import type { Route } from '#shared/routes.ts'
import { type ExampleRequest, idOf, type Known, type ScenarioStep } from './example-step.ts'

type RecordPath =
  Extract<Route, `POST /live_application/${string}`> extends `POST /live_application/${infer Path}` ? Path : never

/** The fields of every record that the application of a company in Japan needs. */
const records: readonly (readonly [record: Exclude<RecordPath, 'submit'>, fields: (known: Known) => object])[] = [
  [
    'site_information',
    () => ({
      site_name: '山田茶舗',
      site_name_kana: 'ヤマダチャホ',
      site_url: 'https://tea.example.com',
      store_country: 'JP',
      site_product_description: '日本茶と茶器の通信販売',
      site_annual_sales: 1200000000,
      site_annual_sales_currency: 'JPY',
      sctl_url: 'https://tea.example.com/law',
      aup_accepted: true,
    }),
  ],
  [
    'company_information',
    ({ upload }) => ({
      corporation_type: 'corporation',
      company_name: '株式会社山田茶舗',
      company_phone: '0751234567',
      company_country: 'JP',
      company_postal_code: '6110021',
      company_prefecture_state: '京都府',
      company_city: '宇治市',
      company_address: '宇治1-2-3',
      business_description: '日本茶の製造と販売',
      employee_number: 12,
      establishment_date: '1999-12-31',
      contact_email: 'help@tea.example.com',
      contact_phone: '0751234568',
      incorporation_certificates: [upload.id],
    }),
  ],
  [
    'personal_information',
    ({ upload }) => ({
      representative_first_name: '一郎',
      representative_first_name_kana: 'イチロウ',
      representative_last_name: '山田',
      representative_last_name_kana: 'ヤマダ',
      representative_dob: '1970-04-01',
      representative_country: 'JP',
      representative_postal_code: '6110021',
      representative_prefecture_state: '京都府',
      representative_city: '宇治市',
      representative_address: '宇治4-5-6',
      representative_phone: '0751234569',
      identity_front: upload.id,
    }),
  ],
  [
    'bank_account_information',
    () => ({
      transfer_type: 'domestic',
      zengin_bank_name: '京都銀行',
      zengin_bank_code: '0158',
      zengin_branch_name: '宇治支店',
      zengin_branch_code: '130',
      zengin_account_type: 'ordinary',
      zengin_account_number: '7654321',
      zengin_account_holder_kana: 'カ)ヤマダチャホ',
    }),
  ],
  ['payment_methods/credit_card', () => ({ has_processed_cc_before: true, conducts_telemarketing: false })],
  [
    'payment_methods/convenience_store',
    () => ({ open_time: '09:00', close_time: '18:30', expected_number_of_payments: '100' }),
  ],
  ['payment_methods/chain_store', () => ({ open_time: '10:00', close_time: '19:00' })],
  ['payment_methods/wallet', () => ({ accepted_wallet_tos: true })],
]

/** One field of each record, which the example of the PATCH changes. */
const changes: Readonly<Record<Exclude<RecordPath, 'submit'>, object>> = {
  site_information: { site_product_description: '日本茶、茶器、和菓子の通信販売' },
  company_information: { business_description: '日本茶の製造、卸売、小売' },
  personal_information: { representative_phone: '0751234570' },
  bank_account_information: { zengin_account_number: '7654322' },
  'payment_methods/credit_card': { conducts_telemarketing: true },
  'payment_methods/convenience_store': { close_time: '19:00' },
  'payment_methods/chain_store': { close_time: '20:00' },
  'payment_methods/wallet': { accepted_wallet_tos: true },
}

const nameOf = (verb: string, record: string) => `${verb}_${record.replaceAll('/', '_')}`
const shown = ['site_information', 'company_information', 'personal_information', 'bank_account_information'] as const

export const onboarding_steps: readonly ScenarioStep[] = [
  {
    name: 'upload',
    route: 'POST /files',
    summary: 'Upload a certificate of incorporation',
    request: (): ExampleRequest => ({
      file: { name: 'certificate.pdf', text: '%PDF-1.7\n%%EOF\n', type: 'application/pdf' },
    }),
  },
  { name: 'show_file', route: 'GET /files/:id', summary: 'Show a file', request: idOf('upload') },
  {
    name: 'file_content',
    route: 'GET /files/:id/content',
    summary: 'Follow the header Location to download the file',
    request: idOf('upload'),
    status: 302,
  },
  { name: 'show_application', route: 'GET /live_application', summary: 'Fields that are still missing' },
  {
    name: 'submit_too_early',
    route: 'POST /live_application/submit',
    summary: 'The application lacks fields',
    status: 422,
  },
  ...records.flatMap(([record, fields]): ScenarioStep[] => [
    {
      name: nameOf('create', record),
      route: `POST /live_application/${record}` as Route,
      summary: `Create ${record.split('/').at(-1)}`,
      request: (known) => ({ content: fields(known) as ExampleRequest['content'] }),
    },
    {
      name: nameOf('update', record),
      route: `PATCH /live_application/${record}` as Route,
      summary: 'Change one field',
      request: () => ({ content: changes[record] as ExampleRequest['content'] }),
    },
  ]),
  ...shown.map(
    (record): ScenarioStep => ({
      name: nameOf('show', record),
      route: `GET /live_application/${record}`,
      summary: `Show ${record}`,
    }),
  ),
  { name: 'submit', route: 'POST /live_application/submit', summary: 'Submit the application' },
]
