/** The prefix of an id, by kind of resource. Tokens and secure tokens share `tok_`, as the API reference defines. */
export const prefixes = {
  payment: 'pay_',
  refund: 'ref_',
  refund_request: 'rrq_',
  customer: 'cus_',
  subscription: 'sub_',
  settlement: 'stl_',
  token: 'tok_',
  secure_token: 'tok_',
  session: 'ses_',
  event: 'evt_',
  webhook: 'whk_',
  delivery: 'dlv_',
  merchant: 'mer_',
  account: 'acc_',
  file: 'fil_',
  api_key: 'key_',
  company: 'com_',
} as const

export type IdKind = keyof typeof prefixes

/** The characters of an id (Crockford's base 32) in ASCII order, so that text order is number order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** The number of characters that hold the creation time. 50 bits of milliseconds last until the year 37,648. */
const TIME_LETTERS = 10

/** Encodes `value` in `letters` characters, most significant first. */
export function base32(value: number, letters: number): string {
  let text = ''
  for (let rest = value; text.length < letters; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

/** Encodes five bits of each byte as one character. */
export function letters(entropy: Uint8Array): string {
  return Array.from(entropy, (byte) => ALPHABET[byte & 31]).join('')
}

/**
 * Returns an id: prefix, creation time in milliseconds, and 16 characters (80 bits) from `entropy`. Ids of a kind sort
 * by creation time.
 */
export function idOf(kind: IdKind, created_at: number, entropy: Uint8Array): string {
  return prefixes[kind] + timeLetters(created_at) + letters(entropy)
}

/** Returns the characters that follow the prefix in every id created in this millisecond. */
export function timeLetters(at: number): string {
  return base32(at, TIME_LETTERS)
}

/** Returns the creation time in an id, in epoch milliseconds; NaN for text that does not contain one. */
export function creationTimeOf(id: string): number {
  const time = id.slice(id.indexOf('_') + 1, id.indexOf('_') + 1 + TIME_LETTERS)
  if (time.length < TIME_LETTERS) return Number.NaN
  let value = 0
  for (const letter of time) {
    const digit = ALPHABET.indexOf(letter)
    if (digit < 0) return Number.NaN
    value = value * 32 + digit
  }
  return value
}
