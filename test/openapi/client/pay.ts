import createClient from 'openapi-fetch'
import type { components, paths } from './api.js'

/** Makes a payment with the generated types, and returns the payment or the error. */
export async function pay(
  base_url: string,
  key: string,
  number: string,
): Promise<components['schemas']['Payment'] | components['schemas']['Error']> {
  const client = createClient<paths>({ baseUrl: base_url, headers: { Authorization: `Basic ${btoa(`${key}:`)}` } })
  const { data, error } = await client.POST('/payments', {
    body: {
      amount: 1000,
      currency: 'JPY',
      payment_details: { type: 'credit_card', number, month: 12, year: 2034, name: 'HANAKO SATO' },
    },
  })
  if (!data) return error.error
  const shown = await client.GET('/payments/{id}', { params: { path: { id: data.id } } })
  return shown.data ?? data
}
