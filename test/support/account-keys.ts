import type { Api } from './api.ts'

let count = 0

/** A new account of the test merchant, unless another key asks. */
export async function anAccount(api: Api, key = api.test.secret_key) {
  const json = { name: `Account ${++count}`, default_currency: 'JPY', time_zone: 'Asia/Tokyo' }
  return (await api.request('POST /accounts', { key, json })).body
}

/** Whether an API key lets its holder in. */
export const opens = async (api: Api, key: string): Promise<boolean> =>
  (await api.request('GET /customers', { key })).status === 200
