import type { Context, SQSEvent } from 'aws-lambda'
import { platformOf } from '#shared/platform/platform-of.ts'
import { type BatchResult, workThrough } from '#shared/scheduling/worker-batch.ts'
import { deliver } from '#shared/webhooks/deliver.ts'

/** Makes the due attempts of deliveries. Returns the messages that failed, as a partial batch response. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(await platformOf(context), Records, deliver)
}
