import type { Context, SQSEvent } from 'aws-lambda'
import { reportsOf } from '#shared/acquirer/acquirers.ts'
import { pollEvents } from '#shared/notifications/poll-events.ts'
import { processNotification } from '#shared/notifications/process-notification.ts'
import { expirePayment } from '#shared/payments/expire-payment.ts'
import { followPayment } from '#shared/payments/follow-payment.ts'
import { resolveAttempt } from '#shared/payments/resolve-attempt.ts'
import type { Message } from '#shared/platform/ports.ts'
import { platformWithBucket } from '#shared/platform/with-bucket.ts'
import { type BatchResult, workThrough } from '#shared/scheduling/worker-batch.ts'
import { scheduleSettlement, settleWeek } from '#shared/settlements/settle-week.ts'
import { giveUpUpload } from '#shared/store/files.ts'
import type { DueKind } from '#shared/store/keys.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import type { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { eraseExpired } from '#shared/tokens/erase-expired.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'
import { recover } from '#shared/webhooks/recover.ts'

const chores: Readonly<Partial<Record<DueKind, (work: UnitOfWork, message: Message) => Promise<void>>>> = {
  payment: expirePayment,
  attempt: resolveAttempt,
  outbox: (work, message) => fanOut(work, message, scheduleSettlement),
  webhook: recover,
  settling: settleWeek,
  file: giveUpUpload,
  secure_token: eraseExpired,
  notification: (work, message) =>
    processNotification(work, message, { reports: reportsOf(work.platform), follow: followPayment }),
  provider_events: (work, message) => pollEvents(work, message, reportsOf(work.platform)),
}

/**
 * Does the due work on payments, attempts, events, webhooks, settlements, files, secure tokens, and notifications of providers. Returns the messages
 * that failed, as a partial batch response.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(platformWithBucket(context), Records, (work, message) =>
    retryOnConflict(work, () => chores[message.kind as DueKind]!(work, message)),
  )
}
