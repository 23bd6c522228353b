import type { Context, SQSEvent } from 'aws-lambda'
import { captureSubscription } from '#shared/charging/capture-subscription.ts'
import { resolveAttempt } from '#shared/charging/resolve.ts'
import { resumeOccurrence } from '#shared/charging/resume-occurrence.ts'
import { platformOf } from '#shared/platform/of.ts'
import { type BatchResult, workThrough } from '#shared/store/batch.ts'
import { startingOver } from '#shared/store/start-over.ts'

/** Captures the intervals of subscriptions that have fallen due, and asks for those whose outcome is not known. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(await platformOf(context), Records, (work, message) =>
    startingOver(work, () =>
      message.kind === 'occurrence'
        ? resolveAttempt(work, message, resumeOccurrence)
        : captureSubscription(work, message),
    ),
  )
}
