import { createHash, randomBytes } from 'node:crypto'
import { idOf, letters, prefixes } from '#shared/domain/ids.ts'
import { lock, unlock } from '#shared/store/lock.ts'

/** Letters of a token's id that find it: birth time and 80 random bits. The 130 random bits behind them open its card. */
const LOOKUP_LETTERS = 26
const SECRET_LETTERS = 26

/** A new token's id in its two halves. The secret one is given to the client and kept nowhere. */
export function newTokenId(now: number): { id: string; lookup: string; secret: string } {
  const id = idOf('token', now, randomBytes(16)) + letters(randomBytes(SECRET_LETTERS))
  return { id, ...halvesOf(id)! }
}

/** The two halves of a token's id, or undefined for text that is no token. */
export function halvesOf(id: string): { lookup: string; secret: string } | undefined {
  if (!/^tok_[0-9a-z]{52}$/.test(id)) return undefined
  const at = prefixes.token.length + LOOKUP_LETTERS
  return { lookup: id.slice(prefixes.token.length, at), secret: id.slice(at) }
}

/** A second lock around sealed details, whose key only the holder of the token has. */
export const lockWith = (secret: string, sealed: string): string => lock(keyOf(secret), Buffer.from(sealed, 'base64'))

/** Opens `lockWith`; throws `SealBroken` for another secret. */
export const unlockWith = (secret: string, locked: string): string => unlock(keyOf(secret), locked).toString('base64')

/** The secret is 130 random bits, so that one hash is as good as a slow derivation. */
const keyOf = (secret: string): Buffer => createHash('sha256').update(`token card\n${secret}`).digest()
