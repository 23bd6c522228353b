import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { modeOfApiKey } from '#shared/acquirer/stripe/api-key.ts'
import { cachedSecrets } from '#shared/platform/cached-secrets.ts'
import type { AcquirerSecret, Clock, ProviderAccess } from '#shared/platform/ports.ts'

/** The content of the file: the credentials at Stripe, and what else a local run needs to reach it. */
export interface StripeFile extends AcquirerSecret {
  /** The name of this data folder in the objects at Stripe. Several folders can use one account. */
  readonly stage: string
  /** The address of a stand-in on this machine; null for Stripe itself. */
  readonly host: string | null
}

/** The settings of a start with `ACQUIRER=stripe`. What is null stays as it is in the file. */
export interface StripeSettings {
  readonly api_key: string | null
  readonly notification_secret: string | null
  readonly host: string | null
}

/** The API key for a stand-in, if none is set. A stand-in takes any key. */
const KEY_OF_STAND_IN = 'sk_test_local'

/** The most secrets that verify notifications: the current one, and the one before it. */
const SECRETS_MAX = 2

/**
 * Stores the settings of a start, and returns the content of the file. A new secret of notifications keeps the former
 * one valid beside it. Without a secret, one is made up. Throws an error of one sentence if there is no API key.
 */
export function writeStripeFile(file: string, { api_key, notification_secret, host }: StripeSettings): StripeFile {
  const before = existsSync(file) ? readStripeFile(file) : undefined
  const key = api_key ?? (host === null ? before?.api_key : KEY_OF_STAND_IN)
  if (key === undefined || (host === null && key === KEY_OF_STAND_IN))
    throw new Error(
      'ACQUIRER=stripe needs STRIPE_KEY, a key of the test mode of Stripe, or STRIPE_HOST, a stand-in on this machine.',
    )
  const secrets = [notification_secret ?? [], before?.notification_secrets ?? []].flat()
  const notification_secrets = [...new Set(secrets)].slice(0, SECRETS_MAX)
  const content: StripeFile = {
    api_key: key,
    notification_secrets: notification_secrets.length > 0 ? notification_secrets : [`whsec_${newLetters()}`],
    stage: before?.stage ?? `local_${newLetters()}`,
    host,
  }
  writeFileSync(`${file}.new`, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600, flush: true })
  renameSync(`${file}.new`, file)
  return content
}

const newLetters = (): string => randomBytes(12).toString('hex')

/**
 * Reads the file. Throws an error of one sentence if other users may access it, if it is damaged, or if it holds a live
 * key.
 */
export function readStripeFile(file: string): StripeFile {
  if ((statSync(file).mode & 0o077) !== 0)
    throw new Error(`The file ${file} is open to other users: run chmod 600 on it.`)
  const content = parsed(readFileSync(file, 'utf8'))
  if (!isStripeFile(content))
    throw new Error(`The file ${file} is damaged: restore it, or remove it and set STRIPE_KEY again.`)
  if (modeOfApiKey(content.api_key) !== 'test')
    throw new Error(`The file ${file} must hold a key of the test mode of Stripe: a local run moves no real money.`)
  return content
}

/**
 * Returns the access to Stripe that the file gives, after the settings of the start were stored in it. Returns null if
 * there are no settings and no file. A file that was changed by hand is used five minutes later at the latest.
 */
export function stripeAccess(file: string, clock: Clock, settings?: StripeSettings): ProviderAccess | null {
  if (!settings && !existsSync(file)) return null
  const { stage, host } = settings ? writeStripeFile(file, settings) : readStripeFile(file)
  return { stage, host, secrets: cachedSecrets(async () => readStripeFile(file), clock) }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function isStripeFile(content: unknown): content is StripeFile {
  const { api_key, notification_secrets, stage, host } = (content ?? {}) as Partial<Record<keyof StripeFile, unknown>>
  const isText = (value: unknown) => typeof value === 'string' && value !== ''
  const are_secrets = Array.isArray(notification_secrets) && notification_secrets.length > 0
  return (
    isText(api_key) &&
    isText(stage) &&
    are_secrets &&
    notification_secrets.every(isText) &&
    (host === null || isText(host))
  )
}
