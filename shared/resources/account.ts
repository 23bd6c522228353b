import { isIP } from 'node:net'
import * as v from 'valibot'
import type { Account } from '#shared/domain/account.ts'
import { momentOf, timestamp } from '#shared/domain/timestamp.ts'
import { clearable, currency, text } from './fields.ts'

const name = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === 'string' ? input.trim().normalize('NFC') : input)),
  text(255),
  v.check((input) => !/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(input), 'must not have characters that nobody sees'),
)

/** The name of a time zone: an area and a city, or UTC. */
const time_zone = v.custom<string>(
  (input) => typeof input === 'string' && /^([A-Za-z_]+(\/[\w+-]+)+|UTC)$/.test(input) && isTimeZone(input),
  'must be the name of a time zone, such as Asia/Tokyo',
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
  v.transform((input) => timestamp(momentOf(input))),
)

const ip_address = v.custom<string>(
  (input) => typeof input === 'string' && isIP(input) !== 0 && !input.includes('%'),
  'must be an IPv4 or IPv6 address',
)

/** The parameters that create an account. */
export const CreateAccount = v.object({ name, default_currency: currency, time_zone })
export type CreateAccount = v.InferOutput<typeof CreateAccount>

/**
 * The name that customers see. Zero-width joiners are accepted, because emoji and some scripts are written with them.
 * Other characters that nobody sees are refused, such as those that reverse the direction of text.
 */
const display_name = v.pipe(
  v.unknown(),
  v.transform((input) => (typeof input === 'string' ? input.trim().normalize('NFC') : input)),
  text(255),
  v.check(
    (input) =>
      !/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}]|(?![\u200c\u200d])\p{Cf}/u.test(input) && /[\p{L}\p{N}\p{P}\p{S}]/u.test(input),
    'must be a name that customers can read, without characters that nobody sees',
  ),
)

const accent_color = v.pipe(
  v.custom<string>(
    (input) => typeof input === 'string' && /^#[0-9a-f]{6}$/i.test(input),
    'must be a color as # and six hexadecimal digits, such as #2546d2',
  ),
  v.transform((input) => input.toLowerCase()),
)

const logo = v.custom<string>(
  (input) => typeof input === 'string' && input !== '',
  'must be the id of an image that you uploaded with POST /files',
)

/**
 * The fields of an account that a PATCH changes. An undefined field stays unchanged. Null clears the name, the color and
 * the logo.
 */
export const UpdateAccount = v.object({
  default_currency: v.optional(currency),
  time_zone: v.optional(time_zone),
  display_name: clearable(display_name),
  accent_color: clearable(accent_color),
  logo: clearable(logo),
})
export type UpdateAccount = v.InferOutput<typeof UpdateAccount>

/**
 * When and from which address the account's owner accepted the service agreement. The address is stored as it was sent.
 */
export const AcceptServiceAgreement = v.object({
  accepted_service_agreement_at: accepted_at,
  accepted_service_agreement_ip: ip_address,
})
export type AcceptServiceAgreement = v.InferOutput<typeof AcceptServiceAgreement>

/** An account as its merchants and the merchant that created it see it. */
export function account(record: Account) {
  return {
    id: record.id,
    resource: 'account' as const,
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
  }
}
