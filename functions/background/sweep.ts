import type { Context } from 'aws-lambda'
import { platformOf } from '#shared/platform/of.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { overdueSeconds, sweep } from '#shared/store/due.ts'
import { type DueKind, due_kinds } from '#shared/store/keys.ts'

/** Once a minute: sends whatever falls due to the queue that does its work, and tells what should have been done by now. */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const platform = await platformOf(context)
  const swept = await Promise.allSettled(due_kinds.map((kind) => sweepKind(platform, kind)))
  const failure = swept.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

/** What is overdue is told also when the sweep fails, and never keeps it from sweeping. */
async function sweepKind(platform: Platform, kind: DueKind): Promise<void> {
  try {
    await sweep(platform, kind)
  } finally {
    const overdue_seconds = await overdueSeconds(platform, kind)
    if (overdue_seconds > 0) platform.log({ level: 'info', event: 'overdue', kind, overdue_seconds })
  }
}
