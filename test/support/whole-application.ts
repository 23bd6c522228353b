/** Every record that the application of a company in Japan needs, with a file of the merchant's. */
export function wholeApplication(file: string): Readonly<Record<string, Readonly<Record<string, unknown>>>> {
  const text = (...names: string[]) => Object.fromEntries(names.map((name) => [name, 'x']))
  return {
    site_information: {
      ...text('site_name', 'site_product_description'),
      site_url: 'https://shop.example.com',
      site_annual_sales: 1,
      site_annual_sales_currency: 'JPY',
      sctl_url: 'https://shop.example.com/law',
      aup_accepted: true,
    },
    company_information: {
      ...text('company_name', 'company_phone', 'company_postal_code', 'company_prefecture_state', 'company_city'),
      ...text('company_address', 'business_description', 'contact_phone'),
      corporation_type: 'corporation',
      company_country: 'JP',
      contact_email: 'help@example.com',
      incorporation_certificates: [file],
    },
    personal_information: {
      ...text('representative_first_name', 'representative_last_name', 'representative_postal_code'),
      ...text('representative_prefecture_state', 'representative_city', 'representative_address'),
      ...text('representative_phone'),
      representative_dob: '1970-01-01',
      representative_country: 'JP',
      identity_front: file,
    },
    bank_account_information: {
      ...text('zengin_bank_name', 'zengin_bank_code', 'zengin_branch_name', 'zengin_branch_code'),
      ...text('zengin_account_number', 'zengin_account_holder_kana'),
      transfer_type: 'domestic',
      zengin_account_type: 'ordinary',
    },
  }
}
