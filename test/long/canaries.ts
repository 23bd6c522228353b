import type { Content, Row } from '#test/fixtures/route-requests.ts'

/** Recognizable secrets, by the name of the field that takes them. */
export const canaries: Readonly<Record<string, string>> = {
  number: '4539578763621486',
  verification_value: '7391',
  prepaid_number: 'canary-of-prepaid-5581',
  user_password: 'canary-of-password-5582',
  secret_key: 'canary-of-webhook-5583',
  secret_token: 'canary-of-webhook-5584',
  account_number: 'canary-of-account-5585',
  name: 'Canary of Cardholder',
}

/** The idempotency key of a request. Only its hash is stored. */
export const CANARY_KEY = 'canary of idempotency 5586'

/** A secret key that does not exist. */
export const CANARY_API_KEY = 'sk_test_canary0fap1key55870000000000000'

/** Fields with a merchant's own text, which the merchant can read again. */
const OWN_TEXT =
  /^(description|display_name|external_order_num|metadata|return_url|webhooks|fraud_details|customer_name|bank_\w+|branch_\w+|email|line_items|expected_number_of_payments|(site|store|company|representative|zengin|swift|sepa|industry|business|office|registration|contact|transfer)_\w+)$/

/** The request with a canary in each field that takes a secret. */
export function withCanaries(content: unknown): unknown {
  if (Array.isArray(content)) return content.map(withCanaries)
  if (content === null || typeof content !== 'object' || isAccount(content)) return content
  return Object.fromEntries(
    Object.entries(content).map(([name, value]) => [name, canaries[name] ?? withCanaries(value)]),
  )
}

/** Whether the content is an account. Its name is not that of a cardholder and can be read again. */
const isAccount = (content: object): boolean => 'time_zone' in content

/**
 * Copies of the request. In each copy one field, at any depth, holds the canary of a card number or of a password,
 * whether or not the field takes that secret. Except in a GET, fields with the merchant's own text are left out,
 * because they are returned.
 */
export function misplaced(content: Content, method: Row['method']): Content[] {
  const values = [canaries.number!, canaries.user_password!]
  return Object.keys(content)
    .filter((name) => method === 'GET' || !(OWN_TEXT.test(name) || (name === 'name' && isAccount(content))))
    .flatMap((name) => {
      const inner = content[name]
      const places =
        inner !== null && typeof inner === 'object'
          ? misplaced(inner as Content, method).map((value) => ({ ...content, [name]: value }))
          : []
      return [...values.map((value) => ({ ...content, [name]: value })), ...places]
    })
}

/** The secrets that a text or bytes contain, in plain text, base64 or hex. */
export function canariesIn(text: string | Buffer, secrets: readonly string[]): string[] {
  const where = (typeof text === 'string' ? text : text.toString('latin1')).toLowerCase()
  return secrets.filter((secret) => formsOf(secret).some((form) => where.includes(form)))
}

const forms = new Map<string, string[]>()

function formsOf(secret: string): string[] {
  const known = forms.get(secret)
  if (known) return known
  // Four digits occur everywhere, so a short secret counts only where it is a whole value.
  const made =
    secret.length < 8
      ? [`"${secret}"`, `\\"${secret}\\"`, `=${secret}&`, `:${secret},`]
      : [
          secret,
          encodeURIComponent(secret),
          Buffer.from(secret).toString('hex'),
          ...[0, 1, 2].flatMap((at) => base64Of(secret, at)),
        ]
  const lower = made.map((form) => form.toLowerCase())
  forms.set(secret, lower)
  return lower
}

/** The letters of the secret in base64 that do not depend on the `bytes_before` bytes in front of it. */
function base64Of(secret: string, bytes_before: number): string[] {
  const text = Buffer.concat([Buffer.alloc(bytes_before), Buffer.from(secret)]).toString('base64')
  const sure = text.replace(/=+$/, '').slice(Math.ceil((bytes_before * 8) / 6), -1)
  return [sure, sure.replaceAll('+', '-').replaceAll('/', '_')]
}
