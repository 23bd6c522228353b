import type { Notification } from '#shared/domain/notification.ts'
import { notificationKey } from './keys.ts'
import type { Kind } from './kind.ts'

/** How long a notification is kept, in seconds: 35 days. The provider lists its events for 30 days. */
const KEPT_SECONDS = 35 * 86_400

/** The notifications of providers. They belong to no merchant. A notification is due until it was processed. */
export const notifications: Kind<Notification> = {
  name: 'notification',
  key: (_merchant, { provider, event }) => notificationKey(provider, event),
  due: ({ process_at }) => process_at ?? undefined,
  due_kind: 'notification',
  ttl: ({ received_at }) => Math.floor(Date.parse(received_at) / 1000) + KEPT_SECONDS,
}
