import type { EventReference } from '#shared/acquirer/reports.ts'
import { modeOfApiKey } from '#shared/acquirer/stripe/api-key.ts'
import { eventReference } from '#shared/acquirer/stripe/event-reference.ts'
import { event_types } from '#shared/acquirer/stripe/event-types.ts'
import { isSigned, type SignedNotification } from '#shared/acquirer/stripe/signature.ts'
import { Refusal } from '#shared/domain/errors.ts'
import type { AcquirerSecret, Clock, Platform, Secrets } from '#shared/platform/ports.ts'
import { serviceWork } from '#shared/store/service-work.ts'
import { storeNotification } from './store-notification.ts'

/**
 * Verifies a notification of Stripe and stores which event it is about. Nothing else happens in the request: a worker
 * looks up the object at Stripe. Refuses with `not_found` on a stage that never used Stripe, and with `bad_request` a
 * notification that is unreadable or not signed with a current secret. Drops an event of another mode or account, and
 * an event of a type that the service does not use.
 */
export async function receiveStripe(platform: Platform, notification: SignedNotification): Promise<void> {
  if (!platform.provider_access) throw new Refusal('not_found')
  const secret = await verify(platform.provider_access.secrets, platform.clock, notification)
  const reference = eventReference(parsed(notification.body))
  if (!reference) throw new Refusal('bad_request', { message: 'The body is not an event of Stripe.' })
  if (isForeign(reference, secret)) return platform.log({ level: 'info', event: 'notification_foreign' })
  if (!event_types.has(reference.type)) return
  await storeNotification(serviceWork(platform), 'stripe', reference)
}

/**
 * Returns the secret that verified the notification. A bad signature can mean that the secret was changed, so the
 * secret is fetched again first.
 */
async function verify(secrets: Secrets, clock: Clock, notification: SignedNotification): Promise<AcquirerSecret> {
  for (const read of [() => secrets.acquirer(), () => secrets.refetch()]) {
    const secret = await read()
    if (timesOf(clock).some((now) => isSigned(notification, secret.notification_secrets, now))) return secret
  }
  throw new Refusal('bad_request', { message: 'The signature of the notification is missing, wrong or too old.' })
}

/** On a local run whose clock was advanced, the sender signs with real time or with the time of that clock. */
const timesOf = (clock: Clock): number[] => [clock.now(), clock.realNow?.() ?? clock.now()]

const isForeign = ({ is_live, account }: EventReference, { api_key }: AcquirerSecret): boolean =>
  account !== null || is_live !== (modeOfApiKey(api_key) === 'live')

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(body))
  } catch {
    return undefined
  }
}
