import type { Context } from 'aws-lambda'
import { platformOf } from '#shared/platform/of.ts'
import { sweep } from '#shared/store/due.ts'
import { due_kinds } from '#shared/store/keys.ts'

/** Once a minute: sends whatever falls due to the queue that does its work. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const platform = await platformOf(context)
  const swept = await Promise.allSettled(due_kinds.map((kind) => sweep(platform, kind)))
  const failure = swept.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}
