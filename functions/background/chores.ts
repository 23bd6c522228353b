import type { Context, SQSEvent } from 'aws-lambda'
import { expireOverdue, resolveAttempt } from '#shared/charging/resolve.ts'
import { platformOf } from '#shared/platform/of.ts'
import type { Message } from '#shared/platform/ports.ts'
import { type BatchResult, workThrough } from '#shared/store/batch.ts'
import type { DueKind } from '#shared/store/keys.ts'
import { startingOver } from '#shared/store/start-over.ts'
import type { Work } from '#shared/store/work.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'
import { recover } from '#shared/webhooks/recover.ts'

const chores: Readonly<Record<Exclude<DueKind, 'delivery'>, (work: Work, message: Message) => Promise<void>>> = {
  payment: expireOverdue,
  attempt: resolveAttempt,
  outbox: fanOut,
  webhook: recover,
}

/** Does what fell due with payments, events and webhooks. Answers which messages failed. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(await platformOf(context), Records, (work, message) =>
    startingOver(work, () => chores[message.kind as keyof typeof chores](work, message)),
  )
}
