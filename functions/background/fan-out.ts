import type { Context } from 'aws-lambda'
import { platformOf } from '#shared/platform/platform-of.ts'
import { logFailure, workOn } from '#shared/scheduling/worker-batch.ts'
import { scheduleSettlement } from '#shared/settlements/settle-week.ts'
import { retryOnConflict } from '#shared/store/retry-on-conflict.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'

/** The part of an event of the table's stream that the handler reads: the keys of new outbox rows. */
interface StreamEvent {
  readonly Records: readonly {
    readonly dynamodb?: { readonly Keys?: Readonly<Record<string, { readonly S?: string }>> }
  }[]
}

/**
 * Creates the deliveries of events when the table's stream reports new outbox rows. A failure is logged and left to the
 * sweep, so that one event does not delay the events behind it.
 */
export async function handler({ Records }: StreamEvent, context: Context): Promise<void> {
  const platform = await platformOf(context)
  const keys = Records.map(({ dynamodb }) => ({ pk: dynamodb?.Keys?.pk?.S ?? '', sk: dynamodb?.Keys?.sk?.S ?? '' }))
  await Promise.all(
    keys.map(async (key) => {
      try {
        const work = await workOn(platform, key)
        await retryOnConflict(work, () => fanOut(work, key, scheduleSettlement))
      } catch (error) {
        logFailure(platform, key, error)
      }
    }),
  )
}
