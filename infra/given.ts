import type { Stage } from './stage.ts'

const givenNames = [
  'stage',
  'domain_name',
  'certificate_arn',
  'alarm_emails',
  'fixed_addresses',
  'repository',
  'stages',
  'oidc_provider_arn',
] as const

/** What a deployment can be given, as by `-c name=value`. */
export type GivenName = (typeof givenNames)[number]

/** What was given under a name; undefined for what was not. */
export type Given = (name: GivenName) => unknown

/** What CDK and its command keep under names of their own, and those two without a mark. */
const ofCdk = (name: string): boolean =>
  /[@:]|^(aws-)?cdk-/.test(name) || ['cli-telemetry', 'acknowledged-issue-numbers'].includes(name)

/** Throws for a name that nothing asks for: what is misspelt would count as left out, and a deployment would take it away. */
export function refuseUnknown(names: readonly string[]): void {
  const unknown = names.find((name) => !ofCdk(name) && !(givenNames as readonly string[]).includes(name))
  if (unknown !== undefined)
    throw new Error(`Nothing is given by the name of "${unknown}": the names are ${givenNames.join(', ')}.`)
}

/**
 * A stage with what depends on who deploys it: a name of its own (`domain_name` with `certificate_arn`), who is told of
 * alarms (`alarm_emails`, between commas), and whether deliveries come from fixed addresses (`fixed_addresses`). Throws for
 * what would make half of it, so that a slip deploys nothing.
 */
export function withGiven(stage: Stage, given: Given): Stage {
  return { ...stage, ...domainIn(given), ...emailsIn(given), ...addressesIn(given) }
}

const CERTIFICATE = /^arn:aws[\w-]*:acm:[\w-]+:\d{12}:certificate\/[\w-]+$/
const DOMAIN_NAME = /^([a-z\d]([a-z\d-]*[a-z\d])?\.)+[a-z]{2,}$/
const EMAIL = /^[^@\s]+@[^@\s]+\.[^@\s]+$/

function domainIn(given: Given): Pick<Stage, 'domain'> {
  const [name, certificate_arn] = [given('domain_name'), given('certificate_arn')].map((one) => String(one ?? ''))
  if (!name && !certificate_arn) return {}
  if (!DOMAIN_NAME.test(name!)) throw new Error(`domain_name must be a host name such as api.shop.example: "${name}".`)
  if (!CERTIFICATE.test(certificate_arn!))
    throw new Error(`certificate_arn must be the ARN of a certificate for ${name}: "${certificate_arn}".`)
  return { domain: { name: name!, certificate_arn: certificate_arn! } }
}

function emailsIn(given: Given): Partial<Pick<Stage, 'alarmEmails'>> {
  const alarmEmails = listOf(given('alarm_emails'))
  const wrong = alarmEmails.find((email) => !EMAIL.test(email))
  if (wrong !== undefined) throw new Error(`alarm_emails must be addresses between commas: "${wrong}" is none.`)
  return alarmEmails.length > 0 ? { alarmEmails } : {}
}

/** `cdk.json` may give a list as it is. */
function listOf(value: unknown): string[] {
  const texts = Array.isArray(value) ? value.map(String) : String(value ?? '').split(',')
  return texts.map((text) => text.trim()).filter((text) => text !== '')
}

function addressesIn(given: Given): Partial<Pick<Stage, 'fixedAddresses'>> {
  const value = given('fixed_addresses')
  if (value === undefined) return {}
  if (String(value) !== 'true' && String(value) !== 'false')
    throw new Error(`fixed_addresses must be true or false: "${value}".`)
  return { fixedAddresses: String(value) === 'true' }
}
