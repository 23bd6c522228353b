/** The headers of a request as API Gateway passes them. `headers` holds only the last value of a repeated header. */
export interface SentHeaders {
  readonly headers: Readonly<Record<string, string | undefined>> | null
  readonly multiValueHeaders?: Readonly<Record<string, readonly string[] | undefined>> | null
}

/** Returns the value of a request header, whose name may be sent in any case; undefined if the header is missing. */
export function header(headers: SentHeaders['headers'], name: Lowercase<string>): string | undefined {
  return Object.entries(headers ?? {}).find(([sent]) => sent.toLowerCase() === name)?.[1]
}

/**
 * `soleHeader` is the value of a request header that may be sent only once. It is undefined if the header is missing or
 * was sent several times. If the header has several values, the firewall could count the request by another value than
 * the function reads.
 */
export function soleHeader({ headers, multiValueHeaders }: SentHeaders, name: Lowercase<string>): string | undefined {
  const values = Object.entries(multiValueHeaders ?? headers ?? {})
    .filter(([sent]) => sent.toLowerCase() === name)
    .flatMap(([, value]) => value ?? [])
  return values.length === 1 ? values[0] : undefined
}
