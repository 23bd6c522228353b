import type { GenericSchema } from 'valibot'
import { ignoredParameters } from '#shared/resources/ignored-parameters.ts'

const HEADER_LENGTH_MAX = 1_024

/** The most characters of a name that is shown. A longer name is a value that was sent in the place of a name. */
const NAME_LENGTH_MAX = 64

/**
 * Returns the response header that names the parameters that a request sent and its endpoint does not read. Paths are
 * in form notation (`a[b]`), separated by commas, percent-encoded and at most 1 KB together. A name that could contain
 * a card number is left out. There is no header if every parameter is read.
 */
export function ignoredHeader(
  schema: GenericSchema | undefined,
  body: unknown,
): { readonly 'X-Service-Ignored-Parameters'?: string } {
  let value = ''
  for (const path of ignoredParameters(schema, body)) {
    if (path.some((name) => name.length > NAME_LENGTH_MAX || /(\d[ -]?){8}/.test(name))) continue
    const [first = '', ...inner] = path.map(encodeURIComponent)
    const next = `${value && `${value}, `}${first}${inner.map((name) => `[${name}]`).join('')}`
    if (next.length > HEADER_LENGTH_MAX) break
    value = next
  }
  return value ? { 'X-Service-Ignored-Parameters': value } : {}
}
