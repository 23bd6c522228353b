import { FRESH, OperationInterrupted, type OperationProgress } from '#shared/domain/operation-progress.ts'
import { WriteConflict } from '#shared/platform/ports.ts'
import type { UnitOfWork } from './unit-of-work.ts'

/** How often work is tried before its write conflict is thrown. */
const TRIES_MAX = 5

/**
 * The same limit for an operation that has begun at the acquirer. It is higher because the outcome must be recorded.
 */
const RECORDING_TRIES_MAX = 300

/**
 * Runs `act`, which reads and commits. After a write conflict, it forgets what was read and runs `act` again with the
 * progress of the operation. It runs `act` at most `tries_max` times, or 300 times once an operation has begun.
 */
export async function retryOnConflict<T>(
  work: UnitOfWork,
  act: (progress: OperationProgress) => Promise<T>,
  tries_max = TRIES_MAX,
): Promise<T> {
  let progress = FRESH
  for (let tries = 1; ; tries++) {
    try {
      return await act(progress)
    } catch (error) {
      const is_interrupted = error instanceof OperationInterrupted
      if (is_interrupted) progress = error.progress
      const cause = is_interrupted ? error.cause : error
      const limit = progress.state === 'fresh' ? tries_max : RECORDING_TRIES_MAX
      if (!(cause instanceof WriteConflict) || tries >= limit) throw error
      work.forget()
    }
  }
}
