import * as v from 'valibot'
import { forbidden_schemes, isSafeLink } from '#shared/domain/return-url.ts'

const URL_LENGTH_MAX = 2_048

/**
 * Where a customer is sent back to: an http or https URL, or a link that opens an app. The limit applies to its length
 * as sent and to its percent-encoded length.
 */
export const return_url = v.pipe(
  v.custom<string>(
    (input) =>
      typeof input === 'string' &&
      input.length <= URL_LENGTH_MAX &&
      isSafeLink(input) &&
      URL.canParse(input) &&
      new URL(input).href.length <= URL_LENGTH_MAX,
    `must be an http or https URL, or a link that opens an app such as myapp://done, of at most ${URL_LENGTH_MAX} characters`,
  ),
  v.metadata({
    type: 'string',
    format: 'uri',
    maxLength: URL_LENGTH_MAX,
    pattern: `^(?!(${forbidden_schemes.join('|')}):)[a-z][a-z0-9+.-]*://[^ ]*$`,
  }),
)
