/** What HTTP Basic carries. The colon may be missing; then all of it is the user. */
export interface BasicCredentials {
  readonly user: string
  readonly password: string
}

/**
 * The credentials in an `Authorization` header, in base64 or base64url, padded or not; undefined where the header is
 * missing or of another scheme. What cannot be decoded comes out as credentials that nobody has.
 */
export function basicCredentials(authorization: string | undefined): BasicCredentials | undefined {
  const encoded = /^basic(?:\s+(\S*))?$/i.exec(authorization?.trim() ?? '')
  if (!encoded) return undefined
  const [user = '', ...password] = Buffer.from(encoded[1] ?? '', 'base64')
    .toString()
    .split(':')
  return { user, password: password.join(':') }
}
