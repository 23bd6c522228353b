import { createHash, randomBytes } from 'node:crypto'
import { idOf, letters, prefixes } from '#shared/domain/ids.ts'
import { decrypt, encrypt } from './cipher.ts'

/**
 * The number of letters in the look-up half of a token's id: the creation time and 80 random bits. The secret half
 * holds 130 random bits and decrypts the payment details of the token.
 */
const LOOKUP_LETTERS = 26
const SECRET_LETTERS = 26

/** The id of a new token, and its two halves. The secret half is given to the client and never stored. */
export function newTokenId(now: number): { id: string; lookup: string; secret: string } {
  const id = idOf('token', now, randomBytes(16)) + letters(randomBytes(SECRET_LETTERS))
  return { id, ...halvesOf(id)! }
}

/** The two halves of a token's id; undefined for text that is not a token's id. */
export function halvesOf(id: string): { lookup: string; secret: string } | undefined {
  if (!/^tok_[0-9a-z]{52}$/.test(id)) return undefined
  const at = prefixes.token.length + LOOKUP_LETTERS
  return { lookup: id.slice(prefixes.token.length, at), secret: id.slice(at) }
}

/** Encrypts sealed details a second time, with a key that is derived from the secret half of the token's id. */
export const encryptWithSecret = (secret: string, sealed: string): string =>
  encrypt(keyOf(secret), Buffer.from(sealed, 'base64'))

/** Decrypts what `encryptWithSecret` encrypted. Throws `SealBroken` for another secret. */
export const decryptWithSecret = (secret: string, locked: string): string =>
  decrypt(keyOf(secret), locked).toString('base64')

/** The secret has 130 random bits, so one hash is as safe as a slow key derivation. */
const keyOf = (secret: string): Buffer => createHash('sha256').update(`token card\n${secret}`).digest()
