import type { Provider } from './payment.ts'
import { timestamp } from './timestamp.ts'

/**
 * What became of a notification. `waiting`: it is still to be processed. `followed`: its payment shows the state at the
 * provider. `dropped`: it concerns no payment of this stage. `given_up`: no try succeeded, so an operator must act.
 */
export type NotificationStatus = 'waiting' | 'followed' | 'dropped' | 'given_up'

/**
 * A notification of a provider, as stored. It holds no content of the provider's object: the object is looked up when
 * the notification is processed.
 */
export interface Notification {
  readonly version: number
  readonly provider: Provider
  /** The provider's id of the event. */
  readonly event: string
  readonly type: string
  /** The provider's id of the object that the event is about. */
  readonly object: string
  /** The connected account of the event; null for the account of the API key. */
  readonly account: string | null
  /** When the event happened at the provider. */
  readonly created_at: string
  readonly received_at: string
  readonly status: NotificationStatus
  /** How often processing has failed. */
  readonly tries: number
  /** When the notification is processed next; null once it no longer waits. */
  readonly process_at: string | null
}

/** An event at the provider, as a new notification needs it. */
export type NewNotification = Pick<Notification, 'provider' | 'event' | 'type' | 'object' | 'account' | 'created_at'>

/** Returns a notification that has just arrived. It is due at once. */
export function newNotification(event: NewNotification, now: number): Notification {
  const received_at = timestamp(now)
  return { version: 0, ...event, received_at, status: 'waiting', tries: 0, process_at: received_at }
}

/** Returns a notification that was processed, or that was given up. It is no longer due. */
export const ended = (notification: Notification, status: Exclude<NotificationStatus, 'waiting'>): Notification => ({
  ...notification,
  status,
  process_at: null,
})

/** Returns a notification after a try failed. It is processed again at `process_at`, or given up if that is null. */
export function triedAgain(notification: Notification, process_at: string | null): Notification {
  const tried = { ...notification, tries: notification.tries + 1 }
  return process_at === null ? ended(tried, 'given_up') : { ...tried, process_at }
}
