import type { Context, SQSEvent } from 'aws-lambda'
import { eraseExpired } from '#shared/charging/erase-expired.ts'
import { expireOverdue, resolveAttempt } from '#shared/charging/resolve.ts'
import { armSettlement, settleWeek } from '#shared/charging/settle-week.ts'
import type { Message } from '#shared/platform/ports.ts'
import { platformWithBucket } from '#shared/platform/with-bucket.ts'
import { type BatchResult, workThrough } from '#shared/store/batch.ts'
import { giveUpUpload } from '#shared/store/files.ts'
import type { DueKind } from '#shared/store/keys.ts'
import { startingOver } from '#shared/store/start-over.ts'
import type { Work } from '#shared/store/work.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'
import { recover } from '#shared/webhooks/recover.ts'

const chores: Readonly<Partial<Record<DueKind, (work: Work, message: Message) => Promise<void>>>> = {
  payment: expireOverdue,
  attempt: resolveAttempt,
  outbox: (work, message) => fanOut(work, message, armSettlement),
  webhook: recover,
  settling: settleWeek,
  file: giveUpUpload,
  secure_token: eraseExpired,
}

/** Does what fell due with payments, events, webhooks, settlements, files and secure tokens. Answers which messages failed. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(platformWithBucket(context), Records, (work, message) =>
    startingOver(work, () => chores[message.kind as DueKind]!(work, message)),
  )
}
