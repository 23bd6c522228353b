import type { LogoType } from '#shared/domain/logo.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { isId, recordKey } from './keys.ts'
import { type Kind, recordOf } from './kind.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** A file that is or was the logo of an account. Everybody can see the copy of the file in the bucket. */
export interface Logo {
  readonly version: number
  readonly account: string
  readonly file: string
  readonly mime_type: LogoType
}

/** Logos, stored under their account. */
export const logos: Kind<Logo> = {
  name: 'logo',
  key: (_merchant, { account, file }) => recordKey('logo', account, file),
}

/** The prefix of the copies of logos in the bucket. The names of all other objects begin with the id of a merchant. */
const LOGOS_PREFIX = 'logos/'

/** A file that becomes a logo, with its bytes. */
export interface NewLogo extends Omit<Logo, 'version'> {
  readonly bytes: Uint8Array
}

/** Puts the public copy of a logo into the bucket. Repeating it changes nothing. */
export const copyLogo = ({ platform }: UnitOfWork, { mime_type, bytes, ...logo }: NewLogo): Promise<void> =>
  platform.bucket.put(objectOf(logo), bytes, mime_type)

/** The type and the bytes of a file that is or was the logo of an account; undefined if it never was. */
export async function findLogo(
  platform: Platform,
  { account, file }: { readonly account: string; readonly file: string },
): Promise<{ readonly mime_type: LogoType; readonly bytes: Uint8Array } | undefined> {
  if (!isId(account) || !isId(file)) return undefined
  const [item] = await platform.table.get([recordKey('logo', account, file)])
  const bytes = item && (await platform.bucket.get(objectOf({ account, file })))
  return bytes && { mime_type: recordOf(logos, item).mime_type, bytes }
}

const objectOf = ({ account, file }: Pick<Logo, 'account' | 'file'>): string => `${LOGOS_PREFIX}${account}/${file}`
