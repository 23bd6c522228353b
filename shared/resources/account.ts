import { isIP } from 'node:net'
import * as v from 'valibot'
import type { Account } from '#shared/domain/account.ts'
import { momentOf, timestamp } from '#shared/domain/timestamp.ts'
import { described, resourceName, shown_currency, shown_timestamp, shownId } from './answer-fields.ts'
import { clearable, currency, text } from './fields.ts'
import { viewOf } from './view.ts'

/** A pattern for the API description: a name has a character other than a space, and no invisible one. */
const VISIBLE =
  '^(?=.*[^ ])[^\\x00-\\x1f\\x7f-\\xa0\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u1680\\u180e\\u2000-\\u200f\\u2028-\\u202f\\u205f-\\u206f\\u3000\\ufeff\\ufff9-\\ufffb]*$'

/**
 * A pattern for the API description: a display name has a character other than a space or a joiner, and no invisible
 * one but the joiners of zero width.
 */
const READABLE =
  '^(?=.*[^ \\xa0\\u1680\\u2000-\\u200d\\u202f\\u205f\\u3000])[^\\x00-\\x1f\\x7f-\\x9f\\xad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u0890\\u0891\\u08e2\\u180e\\u200b\\u200e\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb]*$'

const name = v.pipe(
  v.unknown(),
  v.metadata({ type: 'string', minLength: 1, maxLength: 255, pattern: VISIBLE }),
  v.transform((input) => (typeof input === 'string' ? input.trim().normalize('NFC') : input)),
  text(255),
  v.check((input) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(input), 'must not have characters that nobody sees'),
)

const TIME_ZONE = /^([A-Za-z_]+(\/[A-Za-z0-9_+-]+)+|UTC)$/

/** The name of a time zone: an area and a city, or UTC. */
const time_zone = v.pipe(
  v.custom<string>(
    (input) => typeof input === 'string' && TIME_ZONE.test(input) && isTimeZone(input),
    'must be the name of a time zone, such as Asia/Tokyo',
  ),
  v.metadata({ type: 'string', pattern: TIME_ZONE.source, examples: ['Asia/Tokyo', 'America/New_York', 'UTC'] }),
)

const time_zones = Intl.supportedValuesOf('timeZone')

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    // `DateTimeFormat` accepts names in any case. Other programs that read the name do not.
    const spelt = time_zones.find((known) => known.toLowerCase() === name.toLowerCase())
    return spelt === undefined || spelt === name
  } catch {
    return false
  }
}

/** An ISO 8601 time with its offset, converted to UTC. */
const accepted_at = v.pipe(
  v.custom<string>(
    (input) => typeof input === 'string' && input.length <= 64 && !Number.isNaN(momentOf(input)),
    'must be an ISO 8601 time with its offset, such as 2030-01-31T12:00:00Z',
  ),
  v.metadata({ type: 'string', format: 'date-time', maxLength: 64 }),
  v.transform((input) => timestamp(momentOf(input))),
)

const ip_address = v.pipe(
  v.custom<string>(
    (input) => typeof input === 'string' && isIP(input) !== 0 && !input.includes('%'),
    'must be an IPv4 or IPv6 address',
  ),
  v.metadata({ type: 'string', anyOf: [{ format: 'ipv4' }, { format: 'ipv6' }] }),
)

/** The parameters that create an account. */
export const CreateAccount = v.object({
  name: v.pipe(
    name,
    v.description('The name of the account, which is unique in the service. Spaces at both ends are removed.'),
  ),
  default_currency: v.pipe(currency, v.description('The currency that the account usually uses, as an ISO 4217 code.')),
  time_zone: v.pipe(time_zone, v.description('The time zone of the account, as an area and a city, or UTC.')),
})
export type CreateAccount = v.InferOutput<typeof CreateAccount>

/**
 * The name that customers see. Zero-width joiners are accepted, because emoji and some scripts are written with them.
 * Other characters that nobody sees are refused, such as those that reverse the direction of text.
 */
const display_name = v.pipe(
  v.unknown(),
  v.metadata({ type: 'string', minLength: 1, maxLength: 255, pattern: READABLE }),
  v.transform((input) => (typeof input === 'string' ? input.trim().normalize('NFC') : input)),
  text(255),
  v.check(
    (input) =>
      !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/u.test(input) && /[\p{L}\p{N}\p{P}\p{S}]/u.test(input),
    'must be a name that customers can read, without characters that nobody sees',
  ),
)

const COLOR = /^#[0-9a-fA-F]{6}$/

const accent_color = v.pipe(
  v.custom<string>(
    (input) => typeof input === 'string' && COLOR.test(input),
    'must be a color as # and six hexadecimal digits, such as #2546d2',
  ),
  v.metadata({ type: 'string', pattern: COLOR.source, examples: ['#2546d2'] }),
  v.transform((input) => input.toLowerCase()),
)

const logo = v.pipe(
  v.custom<string>(
    (input) => typeof input === 'string' && input !== '',
    'must be the id of an image that you uploaded with POST /files',
  ),
  v.metadata({ type: 'string', minLength: 1 }),
)

/**
 * The fields of an account that a PATCH changes. An undefined field stays unchanged. Null clears the name, the color and
 * the logo.
 */
export const UpdateAccount = v.object({
  default_currency: v.pipe(
    v.optional(currency),
    v.description('The new currency that the account usually uses, as an ISO 4217 code.'),
  ),
  time_zone: v.pipe(
    v.optional(time_zone),
    v.description('The new time zone of the account, as an area and a city, or UTC.'),
  ),
  display_name: v.pipe(
    clearable(display_name),
    v.description(
      'The name that customers see on every page. Spaces at both ends are removed. Null removes it: customers then see `name`.',
    ),
  ),
  accent_color: v.pipe(
    clearable(accent_color),
    v.description(
      'The color of buttons and links on the pages, as `#` and six hexadecimal digits. A color with too little contrast is shown darker on light pages and lighter on dark pages. Null removes it.',
    ),
  ),
  logo: v.pipe(
    clearable(logo),
    v.description(
      'The id of a file of yours, a PNG, JPEG or WEBP of at most 100 KB (102,400 bytes). The pages show it beside the name. Anyone can see a copy of it, also after it is replaced. Null removes it from the pages.',
    ),
  ),
})
export type UpdateAccount = v.InferOutput<typeof UpdateAccount>

/**
 * When and from which address the account's owner accepted the service agreement. The address is stored as it was sent.
 */
export const AcceptServiceAgreement = v.object({
  accepted_service_agreement_at: v.pipe(
    accepted_at,
    v.description(
      "The time at which the account's owner accepted the agreement, with its offset. It is stored in UTC.",
    ),
  ),
  accepted_service_agreement_ip: v.pipe(
    ip_address,
    v.description("The IPv4 or IPv6 address from which the account's owner accepted the agreement."),
  ),
})
export type AcceptServiceAgreement = v.InferOutput<typeof AcceptServiceAgreement>

/** An account as its merchants and the merchant that created it see it. */
export const AccountResource = described(
  v.strictObject({
    id: described(shownId('account'), 'Id of the account.'),
    resource: resourceName('account'),
    name: described(v.string(), 'Name of the account, which is unique in the service.'),
    default_currency: described(shown_currency, 'ISO 4217 code of the currency that the account uses by default.'),
    time_zone: described(v.string(), 'Name of the time zone of the account, such as `Asia/Tokyo`.'),
    live_merchant: described(
      v.nullable(shownId('merchant')),
      'Id of the merchant that takes the live payments of the account. Null only if the account has this merchant from an earlier version of the service and the service does not know the id yet.',
    ),
    test_merchant: described(
      v.nullable(shownId('merchant')),
      'Id of the merchant that takes the test payments of the account. Null only if the account has this merchant from an earlier version of the service and the service does not know the id yet.',
    ),
    display_name: described(
      v.nullable(v.string()),
      'Name that customers see on every page. Null if you have set none: customers then see `name`.',
    ),
    accent_color: described(
      v.nullable(v.pipe(v.string(), v.regex(/^#[0-9a-f]{6}$/))),
      'Color of buttons and links on the pages, as `#` and six hexadecimal digits in small letters. Null for the color of the service.',
    ),
    logo: described(
      v.nullable(shownId('file')),
      'Id of the file that the pages show as the logo. Null if there is none.',
    ),
    accepted_service_agreement_at: described(
      v.nullable(shown_timestamp),
      'Time in UTC at which the owner of the account accepted the service agreement. Null until then.',
    ),
    accepted_service_agreement_ip: described(
      v.nullable(v.string()),
      'IPv4 or IPv6 address from which the owner of the account accepted the service agreement. Null until then.',
    ),
    created_at: described(shown_timestamp, 'Time at which the account was created, in UTC.'),
    updated_at: described(shown_timestamp, 'Time of the last change of the account, in UTC.'),
  }),
  'An account, with its test merchant and its live merchant.',
)
export type AccountResource = v.InferOutput<typeof AccountResource>

/** Shows an account. */
export const account = viewOf(
  AccountResource,
  (record: Account): AccountResource => ({
    id: record.id,
    resource: 'account',
    name: record.name,
    default_currency: record.default_currency,
    time_zone: record.time_zone,
    live_merchant: record.live_merchant,
    test_merchant: record.test_merchant,
    display_name: record.display_name ?? null,
    accent_color: record.accent_color ?? null,
    logo: record.logo?.file ?? null,
    accepted_service_agreement_at: record.accepted_service_agreement_at,
    accepted_service_agreement_ip: record.accepted_service_agreement_ip,
    created_at: record.created_at,
    updated_at: record.updated_at,
  }),
)
