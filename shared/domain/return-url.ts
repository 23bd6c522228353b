import type { Session } from './session.ts'

/** Where the customer of a session goes back to, with the session that brings them; null when the merchant named no place. */
export const returnUrl = ({ return_url, id }: Session): string | null =>
  return_url && appended(return_url, 'session_id', id)

/** A URL with one more parameter, all else of it as it was given. */
export function appended(url: string, name: string, value: string): string {
  const [address = '', ...fragment] = url.split('#')
  const parameter = `${address.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
  return [address + parameter, ...fragment].join('#')
}
