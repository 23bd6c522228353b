import type { Context, SQSBatchResponse, SQSEvent } from 'aws-lambda'
import { expireOverdue, resolveAttempt } from '#shared/charging/resolve.ts'
import { platformOf } from '#shared/platform/of.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import { type DueKind, merchantAndId, merchantKey } from '#shared/store/keys.ts'
import type { Merchant } from '#shared/store/merchants.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { Work } from '#shared/store/work.ts'

const chores: Readonly<Record<DueKind, (work: Work, message: Message) => Promise<void>>> = {
  payment: expireOverdue,
  attempt: resolveAttempt,
}

/** Does what fell due with payments: deadlines, and operations whose outcome is not known. Answers which messages failed. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<SQSBatchResponse> {
  const platform = await platformOf(context)
  const results = await Promise.allSettled(
    inTurn(
      Records.map(({ body }) => JSON.parse(body)),
      platform,
    ),
  )
  const failed = Records.filter((_, index) => results[index]!.status === 'rejected')
  for (const [index, result] of results.entries())
    if (result.status === 'rejected') logFailure(platform, JSON.parse(Records[index]!.body), result.reason)
  return { batchItemFailures: failed.map(({ messageId }) => ({ itemIdentifier: messageId })) }
}

/** Chores of one record come one after the other: side by side they would only lose races against each other. */
function inTurn(messages: readonly Message[], platform: Platform): Promise<void>[] {
  const last = new Map<string, Promise<void>>()
  return messages.map((message) => {
    const before = last.get(message.pk)?.catch(() => undefined)
    const turn = Promise.resolve(before).then(() => perform(platform, message))
    last.set(message.pk, turn)
    return turn
  })
}

async function perform(platform: Platform, message: Message): Promise<void> {
  const [row] = await platform.table.get([merchantKey(merchantAndId(message.pk).merchant)])
  const { id, mode } = row as unknown as Merchant
  const work = new Work({ platform, merchant: id, mode })
  await startingOver(work, () => chores[message.kind as DueKind](work, message))
}

function logFailure(platform: Platform, { pk }: Message, reason: unknown): void {
  const { merchant, id: payment } = merchantAndId(pk)
  const error = reason instanceof Error ? reason.name : 'unknown'
  platform.log({ level: 'error', event: 'chore_failed', merchant, payment, error })
}
