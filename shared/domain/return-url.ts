import type { Session } from './session.ts'

/** Schemes that run a script, or that open a local file or an arbitrary app, in place of the merchant's app. */
export const forbidden_schemes = ['javascript', 'data', 'vbscript', 'file', 'blob', 'about', 'intent'] as const

const FORBIDDEN = new RegExp(`^(${forbidden_schemes.join('|')}):`, 'i')

/**
 * Whether a URL leads to a web page, or is a link that opens an app: `scheme://…`, also with nothing behind it. A URL
 * with spaces is not safe.
 */
export const isSafeLink = (url: string): boolean =>
  /^[a-z][a-z\d+.-]*:\/\/[^\s\p{Cc}]*$/iu.test(url) && !FORBIDDEN.test(url)

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
