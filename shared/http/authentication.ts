import { Refusal } from '#shared/domain/errors.ts'
import type { Mode } from '#shared/domain/payment.ts'
import type { Item, Key, Table } from '#shared/platform/ports.ts'
import { publishable, type Route, test_only } from '#shared/routes.ts'
import type { Credential } from '#shared/store/api-keys.ts'
import { apiKeyKey, hashOfKey, isId, merchantKey } from '#shared/store/keys.ts'
import type { Merchant } from '#shared/store/merchants.ts'
import { basicCredentials } from './basic-credentials.ts'
import { unknownPath } from './match-route.ts'

/** The merchant that a request acts for. */
export interface Caller {
  readonly merchant: string
  readonly mode: Mode
  /** Whether the API key is a publishable key, which anybody can read in a browser. */
  readonly publishable: boolean
}

/**
 * Authenticates the Basic credentials of an `Authorization` header. The user is an API key. The password is empty, or
 * the id of a merchant that the key's account created in the key's mode. With such an id, the request acts for that
 * merchant. Refuses with `unauthorized` unknown and revoked credentials, and with `forbidden` a publishable key on an
 * endpoint that is not for browsers. To a live key, an endpoint of test mode is an unknown path.
 */
export async function authenticate(
  table: Table,
  authorization: string | undefined,
  route: Route,
  now: number,
): Promise<Caller> {
  const credentials = basicCredentials(authorization)
  if (authorization && !credentials) throw new Refusal('unauthorized', { message: UNREADABLE })
  if (!credentials || !/^[sp]k_(test|live)_[0-9a-z]{32}$/.test(credentials.user)) throw new Refusal('unauthorized')
  const key = (await itemAt(table, apiKeyKey(hashOfKey(credentials.user)))) as Credential | undefined
  if (!key || (key.revoked_at !== null && key.revoked_at <= now)) throw new Refusal('unauthorized')
  if (key.mode === 'live' && test_only.has(route)) throw unknownPath()
  if (key.kind === 'publishable' && !publishable.has(route)) throw new Refusal('forbidden', { message: SECRET_ONLY })
  const { password } = credentials
  const by = { mode: key.mode, publishable: key.kind === 'publishable' }
  if (password === '') return { merchant: key.merchant, ...by }
  const merchant = (isId(password) ? await itemAt(table, merchantKey(password)) : undefined) as Merchant | undefined
  if (!merchant || merchant.created_by !== key.account || merchant.mode !== key.mode)
    throw new Refusal('unauthorized', { message: NO_SUCH_MERCHANT })
  return { merchant: merchant.id, ...by }
}

const SECRET_ONLY =
  'A publishable key (pk_…) may not be used here. Send the request from your server with a secret key (sk_test_… or sk_live_…).'

const NO_SUCH_MERCHANT = 'The password of HTTP Basic must be empty or the id of a merchant that you may act for.'

const UNREADABLE =
  'The Authorization header could not be read. Send "Basic", a space, and the standard base64 of your API key and a colon.'

async function itemAt(table: Table, key: Key): Promise<Item | undefined> {
  const [item] = await table.get([key])
  return item
}
