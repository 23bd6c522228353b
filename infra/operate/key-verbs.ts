import { createMerchants, keysOf, revokeKeyOf, rollKeyOf } from '#shared/accounts/operator-keys.ts'
import type { ApiKey } from '#shared/domain/api-key.ts'
import type { Item } from '#shared/platform/ports.ts'
import { type Call, UsageError, type Verb } from './verb.ts'

const merchant_option = {
  merchant: 'the merchant of the key; without it, the keys of all merchants are read',
}

/** `operate create-merchant` creates an account with a test merchant and a live merchant, and prints their keys once. */
export const createMerchant: Verb = {
  does: 'creates an account with a test and a live merchant, and prints their keys, which are shown only once',
  args: [],
  options: { name: 'the name of the account, which customers see on the hosted pages' },
  async run({ open, options, out }) {
    if (options.name !== undefined && !/^[^\p{Cc}]{1,100}$/u.test(options.name))
      throw new UsageError('A name must have 1 to 100 characters.')
    const merchants = await createMerchants(await open(), options.name)
    for (const mode of ['test', 'live'] as const) {
      const { id, secret_key, publishable_key } = merchants[mode]
      out(`${mode}  ${id}  ${secret_key}  ${publishable_key}`)
    }
    out(`account  ${merchants.account}`)
    return 0
  },
}

/**
 * `operate list-keys` lists the API keys of a merchant by their ids and times, because the keys themselves are not
 * stored.
 */
export const listKeys: Verb = {
  does: 'lists the API keys of a merchant',
  args: ['<merchant>'],
  async run({ open, args: [merchant = ''], out, progress }) {
    const found = await keysOf(await open(), { merchant }, progress)
    if (found.length === 0) throw new Error(`There is no merchant ${merchant} with API keys.`)
    for (const { key } of found) out(lineOf(key))
    return 0
  },
}

/** `operate roll-key` replaces a key with a new one, and prints the new key once. */
export const rollKey: Verb = {
  does: 'replaces an API key with a new one, and prints the new key, which is shown only once',
  args: ['<key id>'],
  options: { ...merchant_option, grace: 'how many seconds the old key stays valid, at most 604800; the default is 0' },
  async run(call) {
    const grace = Number(call.options.grace ?? 0)
    if (!(Number.isInteger(grace) && grace >= 0 && grace <= GRACE_SECONDS_MAX))
      throw new UsageError(`--grace must be a whole number of seconds up to ${GRACE_SECONDS_MAX}.`)
    const { key, secret } = await rollKeyOf(await call.open(), await keyNamed(call), grace)
    call.out(`${lineOf(key)}  ${secret}`)
    return 0
  },
}

/** The longest grace time of a rolled key: a week. */
const GRACE_SECONDS_MAX = 604_800

/** `operate revoke-key` ends a key at once. */
export const revokeKey: Verb = {
  does: 'revokes an API key at once',
  args: ['<key id>'],
  options: merchant_option,
  async run(call) {
    call.out(lineOf(await revokeKeyOf(await call.open(), await keyNamed(call))))
    return 0
  },
}

/** Returns the item of the key whose id begins with the given text. Throws if no key or more than one key fits. */
async function keyNamed({ open, args: [id = ''], options: { merchant }, progress }: Call): Promise<Item> {
  if (!/^key_[0-9a-z]+$/.test(id))
    throw new UsageError('Give the id of the key, key_…, or the beginning of its id. The key itself is not stored.')
  const found = await keysOf(await open(), { merchant, beginning: id }, progress)
  if (found.length === 0) throw new Error(`There is no key ${id}.`)
  if (found.length > 1) throw new Error(`${found.length} keys begin with ${id}. Give more of the id.`)
  return found[0]!.item
}

const lineOf = ({ id, merchant, mode, kind, created_at, revoked_at }: ApiKey): string =>
  `${id}  ${merchant}  ${mode} ${kind}  created ${created_at}${revoked_at === null ? '' : `  ends ${revoked_at}`}`
