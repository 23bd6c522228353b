import { isIPv4 } from 'node:net'
import { isDeepStrictEqual } from 'node:util'

/** The host name of the API, and the ARN of its certificate in the region of the stage. */
export interface Domain {
  readonly name: string
  readonly certificate_arn: string
}

/** An elastic IP of the account. It belongs to no stack, so no deployment releases it. */
export interface Address {
  readonly allocation_id: string
  readonly public_ip: string
}

/** Deliveries come from these addresses while `on` is true. The addresses stay reserved while `on` is false. */
export interface FixedAddresses {
  readonly on: boolean
  readonly addresses: readonly Address[]
}

/** The properties of a stage, which its definition in `infra/stages` states. `Stage` holds its other settings. */
export interface StageProperties {
  readonly domain: Domain | 'none'
  /** The e-mail addresses that get alarms. Other receivers subscribe to the alarm topic themselves. */
  readonly alarm_emails: readonly string[] | 'none'
  /** Merchants can let deliveries in by these addresses. Fixed addresses need a network and two NAT gateways. */
  readonly fixed_addresses: FixedAddresses | 'none'
}

/** The name of a property of a stage. */
export type PropertyName = keyof StageProperties

/** The rules of one property. */
export interface Property<Value> {
  /** The valid values in words, for messages. */
  readonly takes: string
  readonly example: Value
  valid(value: unknown): boolean
  /** Whether a stage that has `recorded` loses nothing when its definition states `stated`. */
  keeps(recorded: Value, stated: Value): boolean
  /** The value after an explicit removal. */
  removed(value: Value): Value | 'none'
  /** The names of the `-c` values that state the property, each with the text that such a value must equal. */
  readonly context: Readonly<Record<string, (value: Value | 'none') => string>>
}

type Properties = { readonly [Name in PropertyName]: Property<Exclude<StageProperties[Name], 'none'>> }

const CERTIFICATE = /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/
const DOMAIN_NAME = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/
const EMAIL = /^[^@\s,]+@[^@\s,]+\.[^@\s,]+$/
const ALLOCATION_ID = /^eipalloc-[\da-f]{8,17}$/

/** Deliveries go out through one address per availability zone, so that one zone can fail. */
const ADDRESSES = 2

/** Every property that a stage can have, with its rules. */
export const stageProperties: Properties = {
  domain: {
    takes: 'the host name of the API, and the ARN of its certificate',
    example: {
      name: 'api.shop.example',
      certificate_arn: 'arn:aws:acm:ap-northeast-1:111122223333:certificate/0a1b-2c',
    },
    valid: (value) => hasFields(value, { name: matches(DOMAIN_NAME), certificate_arn: matches(CERTIFICATE) }),
    // A stage can replace its certificate, for example when it expires.
    keeps: (recorded, stated) => recorded.name === stated.name,
    removed: () => 'none',
    context: {
      domain_name: (value) => (value === 'none' ? value : value.name),
      certificate_arn: (value) => (value === 'none' ? value : value.certificate_arn),
    },
  },
  alarm_emails: {
    takes: 'a list of different e-mail addresses',
    example: ['on-call@shop.example'],
    valid: (value) => isSet(value, matches(EMAIL)) && value.length > 0,
    keeps: (recorded, stated) => recorded.every((email) => stated.includes(email)),
    removed: () => 'none',
    context: { alarm_emails: (value) => (value === 'none' ? value : value.join(',')) },
  },
  fixed_addresses: {
    takes: `whether they are on, and ${ADDRESSES} different elastic IPs of the account (aws ec2 allocate-address)`,
    example: {
      on: true,
      addresses: [
        { allocation_id: 'eipalloc-0a1b2c3d4e5f60718', public_ip: '203.0.113.10' },
        { allocation_id: 'eipalloc-0a1b2c3d4e5f60719', public_ip: '203.0.113.11' },
      ],
    },
    valid: (value) => hasFields(value, { on: (on) => typeof on === 'boolean', addresses: areAddresses }),
    keeps: (recorded, stated) => isDeepStrictEqual(recorded.addresses, stated.addresses) && (stated.on || !recorded.on),
    // The first removal switches the addresses off and keeps them reserved. The second removal gives them up.
    removed: (value) => (value.on ? { ...value, on: false } : 'none'),
    context: { fixed_addresses: (value) => String(value !== 'none' && value.on) },
  },
}

/** The names of all properties, in the order in which definitions state them. */
export const propertyNames = Object.keys(stageProperties) as readonly PropertyName[]

/** The rules of a property whose name is known only at run time. */
export const propertyOf = (name: PropertyName): Property<unknown> => stageProperties[name] as Property<unknown>

/**
 * The addresses that a stage's deliveries come from. The list is empty without fixed addresses and while they are off.
 */
export const deliveryAddresses = ({ fixed_addresses }: StageProperties): readonly Address[] =>
  fixed_addresses !== 'none' && fixed_addresses.on ? fixed_addresses.addresses : []

type Check = (value: unknown) => boolean

/** Whether a value is an object with exactly these fields, and every field passes its check. */
function hasFields(value: unknown, checks: Readonly<Record<string, Check>>): boolean {
  const fields = Object.entries(Object(value))
  return (
    !Array.isArray(value) &&
    fields.length === Object.keys(checks).length &&
    fields.every(([field, one]) => Object.hasOwn(checks, field) && checks[field]!(one))
  )
}

const matches =
  (pattern: RegExp): Check =>
  (value) =>
    typeof value === 'string' && pattern.test(value)

const isSet = (value: unknown, check: Check): value is unknown[] =>
  Array.isArray(value) && value.every(check) && new Set(value).size === value.length

function areAddresses(value: unknown): boolean {
  if (!Array.isArray(value) || value.length !== ADDRESSES) return false
  const public_ip: Check = (ip) => typeof ip === 'string' && isIPv4(ip)
  const isAddress: Check = (one) => hasFields(one, { allocation_id: matches(ALLOCATION_ID), public_ip })
  if (!value.every(isAddress)) return false
  const different = (field: keyof Address) => new Set(value.map((one) => one[field])).size === value.length
  return different('allocation_id') && different('public_ip')
}
