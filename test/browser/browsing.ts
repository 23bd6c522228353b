import type { Service } from '#test/fixtures/api.ts'

/** The response that a browser gets for a page. */
export interface Seen {
  readonly status: number
  readonly headers: Headers
  /** The target of the redirect after a form. */
  readonly location: string | null
  readonly html: string
  /** The target of the refresh of the page. */
  readonly continues_to: string | undefined
}

/** Opens a page as a browser does, without following redirects. */
export const see = async (url: string): Promise<Seen> => seen(await fetch(url, { redirect: 'manual' }))

/** Submits a form of one of our pages to `url` as a browser does, without following redirects. */
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

/** The input of a customer in the card form. */
export const typed_card = {
  type: 'credit_card',
  number: '4111 1111 1111 1111',
  expiry: '12 / 35',
  verification_value: '123',
  name: 'TARO YAMADA',
  email: 'taro@example.com',
}

/** Creates a session of 1,000 JPY. `fields` override its fields. */
export async function openSession(api: Pick<Service, 'request'>, fields: Readonly<Record<string, unknown>> = {}) {
  const json = { amount: 1000, currency: 'JPY', return_url: RETURN_URL, ...fields }
  const { status, body } = await api.request('POST /sessions', { json })
  if (status !== 200) throw new Error(`the session was refused: ${body.error.message}`)
  return body as { id: string; session_url: string }
}
