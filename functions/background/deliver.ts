import type { Context, SQSEvent } from 'aws-lambda'
import { platformOf } from '#shared/platform/of.ts'
import { type BatchResult, workThrough } from '#shared/store/batch.ts'
import { deliver } from '#shared/webhooks/deliver.ts'

/** Makes the attempts of deliveries that have fallen due. Answers which messages failed. */
export async function handler({ Records }: SQSEvent, context: Context): Promise<BatchResult> {
  return workThrough(await platformOf(context), Records, deliver)
}
