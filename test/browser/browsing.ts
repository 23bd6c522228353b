import type { Service } from '#test/fixtures/api.ts'

/** What a browser gets for a page: where it is sent on to, or what it shows. */
export interface Seen {
  readonly status: number
  readonly headers: Headers
  /** Where a form sent the browser on to. */
  readonly location: string | null
  readonly html: string
  /** Where the page sends the customer on to by itself. */
  readonly continues_to: string | undefined
}

/** Opens a page as a browser does, without following anything. */
export const see = async (url: string): Promise<Seen> => seen(await fetch(url, { redirect: 'manual' }))

/** Sends a form of a page of ours to `url`, as a browser does, without following anything. */
export async function submit(
  url: string,
  fields: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = { origin: new URL(url).origin },
): Promise<Seen> {
  return seen(await fetch(url, { method: 'POST', redirect: 'manual', headers, body: new URLSearchParams(fields) }))
}

async function seen(response: Response): Promise<Seen> {
  const html = await response.text()
  const continues_to = /http-equiv="refresh" content="0;url=([^"]*)"/.exec(html)?.[1]?.replaceAll('&amp;', '&')
  const location = response.headers.get('location')
  return { status: response.status, headers: response.headers, location, html, continues_to }
}

export const RETURN_URL = 'https://shop.example.com/done?order=7'

/** What a customer types into the card form. */
export const typed_card = {
  type: 'credit_card',
  number: '4111 1111 1111 1111',
  expiry: '12 / 35',
  verification_value: '123',
  name: 'TARO YAMADA',
  email: 'taro@example.com',
}

/** A session of 1,000 JPY, unless `fields` say otherwise. */
export async function openSession(api: Pick<Service, 'request'>, fields: Readonly<Record<string, unknown>> = {}) {
  const json = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, ...fields }
  const { status, body } = await api.request('POST /sessions', { json })
  if (status !== 200) throw new Error(`the session was refused: ${body.error.message}`)
  return body as { id: string; session_url: string }
}
