import type { Context } from 'aws-lambda'
import { platformOf } from '#shared/platform/platform-of.ts'
import type { Platform } from '#shared/platform/ports.ts'
import { overdueSeconds, sweep } from '#shared/scheduling/sweep.ts'
import { type DueKind, due_kinds } from '#shared/store/keys.ts'

/**
 * Runs once a minute. Queues the records of every kind that fall due, and logs how long the oldest record of a kind is
 * overdue.
 */
export async function handler(_event: unknown, context: Context): Promise<void> {
  const platform = await platformOf(context)
  const swept = await Promise.allSettled(due_kinds.map((kind) => sweepKind(platform, kind)))
  const failure = swept.find((result) => result.status === 'rejected')
  if (failure) throw failure.reason
}

/**
 * Sweeps one kind of record, and then logs how long its oldest record is overdue, even if the sweep fails. The sweep
 * comes first, so that a failed read of overdue records cannot prevent it.
 */
async function sweepKind(platform: Platform, kind: DueKind): Promise<void> {
  try {
    await sweep(platform, kind)
  } finally {
    const overdue_seconds = await overdueSeconds(platform, kind)
    if (overdue_seconds > 0) platform.log({ level: 'info', event: 'overdue', kind, overdue_seconds })
  }
}
