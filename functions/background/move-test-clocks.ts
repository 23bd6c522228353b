import type { Context, SQSEvent } from 'aws-lambda'
import { platformOf } from '#shared/platform/platform-of.ts'
import { moveTestClock } from '#shared/scheduling/move-test-clock.ts'
import { type BatchResult, workThrough } from '#shared/scheduling/worker-batch.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'

/**
 * Moves the test clocks of merchants step by step, and queues the work that falls due by them. Returns the messages
 * that failed, as a partial batch response.
 */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(await platformOf(context), Records, (work, message) =>
    retryOnConflict(work, () => moveTestClock(work, message)),
  )
}
