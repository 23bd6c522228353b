import type { Context } from 'aws-lambda'
import { armSettlement } from '#shared/charging/settle-week.ts'
import { platformOf } from '#shared/platform/of.ts'
import { logFailure, workOn } from '#shared/store/batch.ts'
import { startingOver } from '#shared/store/start-over.ts'
import { fanOut } from '#shared/webhooks/fan-out.ts'

/** What it needs of a record of the table's stream: the key of a row that was put. */
interface StreamEvent {
  readonly Records: readonly {
    readonly dynamodb?: { readonly Keys?: Readonly<Record<string, { readonly S?: string }>> }
  }[]
}

/**
 * Rung by the table's stream when an event was written: makes its deliveries. What fails here is left to the clock, so
 * that no event holds up those behind it.
 */
export async function handler({ Records }: StreamEvent, context: Context): Promise<void> {
  const platform = await platformOf(context)
  const keys = Records.map(({ dynamodb }) => ({ pk: dynamodb?.Keys?.pk?.S ?? '', sk: dynamodb?.Keys?.sk?.S ?? '' }))
  await Promise.all(
    keys.map(async (key) => {
      try {
        const work = await workOn(platform, key)
        await startingOver(work, () => fanOut(work, key, armSettlement))
      } catch (error) {
        logFailure(platform, key, error)
      }
    }),
  )
}
