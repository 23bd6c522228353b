import type { Context, SQSEvent } from 'aws-lambda'
import { resolveAttempt } from '#shared/payments/resolve-attempt.ts'
import { platformOf } from '#shared/platform/platform-of.ts'
import { type BatchResult, workThrough } from '#shared/scheduling/worker-batch.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { captureSubscription } from '#shared/subscriptions/capture-subscription.ts'
import { resumeOccurrence } from '#shared/subscriptions/resume-occurrence.ts'

/**
 * Captures the due intervals of subscriptions, and inquires about subscription payments whose outcome is unknown.
 * Returns the messages that failed, as a partial batch response.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(await platformOf(context), Records, (work, message) =>
    retryOnConflict(work, (progress) =>
      message.kind === 'occurrence'
        ? resolveAttempt(work, message, resumeOccurrence)
        : captureSubscription(work, message, progress),
    ),
  )
}
