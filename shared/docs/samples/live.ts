import type { Sample } from '../sample.ts'
import { requestSample } from './request-sample.ts'

/** Uploads the document at the path `CERTIFICATE`. */
export const upload_file: Sample = {
  shell: `curl {base_url}/files -u "$SECRET_KEY:" -F "paper=@$CERTIFICATE"`,
  typescript: `import { openAsBlob } from 'node:fs'

const form = new FormData()
form.set('paper', await openAsBlob(process.env.CERTIFICATE!), 'certificate.pdf')
const response = await fetch('{base_url}/files', {
  method: 'POST',
  headers: { Authorization: \`Basic \${btoa(\`\${process.env.SECRET_KEY}:\`)}\` },
  body: form,
})
const file = await response.json()
if (!response.ok) throw new Error(file.error.message)
console.log(file.id, file.mime_type)`,
}

/** Sends the record of the shop's site. */
export const send_site: Sample = requestSample({
  method: 'POST',
  path: '/live_application/site_information',
  body: {
    site_name: 'Blue Shop',
    site_url: 'https://shop.example.com',
    site_product_description: 'Ceramic cups and plates, made to order',
    site_annual_sales: 1200000000,
    site_annual_sales_currency: 'JPY',
    sctl_url: 'https://shop.example.com/law',
    aup_accepted: true,
  },
  result: 'record',
  prints: ['record.resource', 'record.status'],
})

/** Sends the record of the company, with the file `FILE`. */
export const send_company: Sample = requestSample({
  method: 'POST',
  path: '/live_application/company_information',
  body: {
    corporation_type: 'corporation',
    company_name: 'Blue Shop KK',
    company_phone: '0312345678',
    company_country: 'JP',
    company_postal_code: '100-0001',
    company_prefecture_state: 'Tokyo',
    company_city: 'Chiyoda',
    company_address: '1-1-1 Marunouchi',
    business_description: 'Online sale of tableware',
    contact_email: 'help@shop.example.com',
    contact_phone: '0312345679',
    incorporation_certificates: ['$FILE'],
  },
  result: 'record',
  prints: ['record.resource', 'record.incorporation_certificates'],
})

/** Sends the record of the representative, with the photo ID `FILE`. */
export const send_person: Sample = requestSample({
  method: 'POST',
  path: '/live_application/personal_information',
  body: {
    representative_first_name: 'Hanako',
    representative_last_name: 'Suzuki',
    representative_dob: '1980-04-01',
    representative_country: 'JP',
    representative_postal_code: '150-0001',
    representative_prefecture_state: 'Tokyo',
    representative_city: 'Shibuya',
    representative_address: '2-3-4 Jingumae',
    representative_phone: '09012345678',
    identity_front: '$FILE',
  },
  result: 'record',
  prints: ['record.resource', 'record.status'],
})

/** Sends the record of the bank account. */
export const send_bank_account: Sample = requestSample({
  method: 'POST',
  path: '/live_application/bank_account_information',
  body: {
    transfer_type: 'domestic',
    zengin_bank_name: 'Example Bank',
    zengin_bank_code: '0001',
    zengin_branch_name: 'Marunouchi',
    zengin_branch_code: '001',
    zengin_account_type: 'ordinary',
    zengin_account_number: '1234567',
    zengin_account_holder_kana: 'ブルーショップ',
  },
  result: 'record',
  prints: ['record.resource', 'record.zengin_account_number'],
})

/** Sends the record that a shop with card payments adds. */
export const send_card_record: Sample = requestSample({
  method: 'POST',
  path: '/live_application/payment_methods/credit_card',
  body: {
    has_processed_cc_before: false,
    conducts_door_to_door_sales: false,
    conducts_telemarketing: false,
    conducts_mlm_scheme: false,
    conducts_business_opportunity_scheme: false,
    violated_consumer_contract_act: false,
  },
  result: 'record',
  prints: ['record.conducts_telemarketing'],
})

/** Shows the application: its status, the missing fields and the reason of a rejection. */
export const show_application: Sample = requestSample({
  method: 'GET',
  path: '/live_application',
  result: 'application',
  prints: ['application.status', 'application.requested_fields.length', 'application.rejection_reason'],
})

/** Submits the application. */
export const submit_application: Sample = requestSample({
  method: 'POST',
  path: '/live_application/submit',
  result: 'application',
  prints: ['application.status', 'application.submitted_at'],
})

/** Submits the practice application of a test key, and has it rejected. */
export const simulate_rejection: Sample = requestSample({
  method: 'POST',
  path: '/live_application/submit',
  body: { simulate_status: 'rejected' },
  result: 'application',
  prints: ['application.status', 'application.rejection_reason'],
})

/** Corrects one field of a record. */
export const correct_record: Sample = requestSample({
  method: 'PATCH',
  path: '/live_application/site_information',
  body: { sctl_url: 'https://shop.example.com/commercial-transactions' },
  result: 'record',
  prints: ['record.sctl_url', 'record.status'],
})
