import type { EventReference } from '#shared/acquirer/reports.ts'
import { newNotification } from '#shared/domain/notification.ts'
import type { Provider } from '#shared/domain/payment.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import { changed } from '#shared/store/change.ts'
import { notificationKey } from '#shared/store/keys.ts'
import { notifications } from '#shared/store/notifications.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'

/**
 * Stores an event of a provider once, and queues it. Does nothing if the event is already stored, so an event that
 * arrives several times is processed once.
 */
export async function storeNotification(
  work: UnitOfWork,
  provider: Provider,
  reference: EventReference,
): Promise<void> {
  const { id: event, type, object, account, created_at } = reference
  try {
    const notification = newNotification({ provider, event, type, object, account, created_at }, work.now())
    await work.commit([changed(notifications, notification)])
  } catch (error) {
    if (!(error instanceof WriteConflict)) throw error
    const [stored] = await work.platform.table.get([notificationKey(provider, event)])
    // Without the row, the conflict only shows that another transaction was writing to it. The provider sends it again.
    if (!stored) throw error
  }
}
