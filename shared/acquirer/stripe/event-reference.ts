import type { EventReference } from '#shared/acquirer/reports.ts'
import { timestamp } from '#shared/domain/timestamp.ts'

/** The form of the provider's ids. Keys of the table contain them. */
const ID = /^[a-z]+_[0-9A-Za-z_]{1,250}$/

/** The latest time that a timestamp can show, in epoch seconds. */
const LATEST_SECONDS = 253_402_300_799

/**
 * Returns the reference of an event object of the provider. Returns undefined for any other value. Apart from the
 * reference, the content of an event is never read, because it can be outdated.
 */
export function eventReference(event: unknown): EventReference | undefined {
  if (!isObject(event) || event.object !== 'event' || !isObject(event.data) || !isObject(event.data.object)) return
  const { id, type, account = null, livemode, created } = event
  const { id: object } = event.data.object
  if (!isId(id) || typeof type !== 'string' || !isId(object) || (account !== null && !isId(account))) return
  if (typeof livemode !== 'boolean' || !isEpochSeconds(created)) return
  return { id, type, object, account, is_live: livemode, created_at: timestamp(created * 1000) }
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

const isId = (value: unknown): value is string => typeof value === 'string' && ID.test(value)

const isEpochSeconds = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0 && Number(value) <= LATEST_SECONDS
