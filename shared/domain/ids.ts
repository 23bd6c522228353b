/** What an id begins with, per kind of thing. Tokens and secure tokens share `tok_`, as the reference says. */
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

/** Letters of an id in ASCII order (Crockford's base 32), so that text order is number order. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** How many letters of an id tell its birth time: 50 bits of milliseconds last until the year 37,648. */
const TIME_LETTERS = 10

/** `value` as `letters` letters, most significant first. */
export function base32(value: number, letters: number): string {
  let text = ''
  for (let rest = value; text.length < letters; rest = Math.floor(rest / 32)) text = ALPHABET[rest % 32] + text
  return text
}

/** One letter for each byte (five bits of it). */
export function letters(entropy: Uint8Array): string {
  return Array.from(entropy, (byte) => ALPHABET[byte & 31]).join('')
}

/**
 * An id: prefix, birth time in milliseconds, and 16 letters (80 bits) from `entropy`. Ids of a kind sort by birth.
 */
export function idOf(kind: IdKind, born_at: number, entropy: Uint8Array): string {
  return prefixes[kind] + timeLetters(born_at) + letters(entropy)
}

/** The letters that every id born in that millisecond has behind its prefix. */
export function timeLetters(at: number): string {
  return base32(at, TIME_LETTERS)
}

/** When a thing with this id was born, in epoch milliseconds; NaN for text that is no id. */
export function bornAt(id: string): number {
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
