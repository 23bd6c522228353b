/** The credentials of HTTP Basic authentication. Without a colon, the whole text is the user. */
export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

/**
 * `basicCredentials` reads the credentials of an `Authorization` header: the scheme in any case, one or more spaces,
 * and canonical base64 in the standard alphabet, with all of its padding or none. It returns undefined for every other
 * value, which includes a value that does not encode back to itself. The firewall counts requests by this header, so a
 * lenient decoder would give one key many counts.
 */
export function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic +([A-Za-z0-9+/]+={0,2})$/i.exec(authorization ?? '')?.[1]
  if (encoded === undefined) return undefined
  const text = Buffer.from(encoded, 'base64').toString()
  const canonical = Buffer.from(text).toString('base64')
  if (encoded !== canonical && encoded !== canonical.replace(/=+$/, '')) return undefined
  const [user = '', ...password] = text.split(':')
  return { user, password: password.join(':') }
}
