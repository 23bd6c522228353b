import type { Session } from './session.ts'

/**
 * Returns the URL to which the customer of a session returns, with `session_id` added; null if the merchant gave no
 * URL.
 */
export const returnUrl = ({ return_url, id }: Session): string | null =>
  return_url && appended(return_url, 'session_id', id)

/** Adds a parameter to the query of a URL and leaves everything else unchanged. */
export function appended(url: string, name: string, value: string): string {
  const [address = '', ...fragment] = url.split('#')
  const parameter = `${address.includes('?') ? '&' : '?'}${name}=${encodeURIComponent(value)}`
  return [address + parameter, ...fragment].join('#')
}
