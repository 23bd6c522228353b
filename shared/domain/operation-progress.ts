import type { Outcome } from './payment.ts'

/** An operation that was committed and may have reached the acquirer: its payment, and the number of its attempt. */
export interface BegunOperation {
  readonly payment: string
  readonly attempt: number
}

/**
 * The progress of a request with its operation at the acquirer. `fresh`: nothing is committed, so the request may start
 * again or be refused. `begun`: the attempt is committed, so the operation is resumed and never repeated. `resolved`:
 * the outcome is known and still has to be recorded.
 */
export type OperationProgress =
  | { readonly state: 'fresh' }
  | ({ readonly state: 'begun' } & BegunOperation)
  | ({ readonly state: 'resolved'; readonly outcome: Outcome } & BegunOperation)

/** The progress of a request whose operation is no longer fresh. */
export type StartedProgress = Exclude<OperationProgress, { readonly state: 'fresh' }>

export const FRESH: OperationProgress = { state: 'fresh' }

/** An error after an operation began. It carries the progress, so that the next try continues from there. */
export class OperationInterrupted extends Error {
  override readonly name = 'OperationInterrupted'
  readonly progress: StartedProgress
  constructor(progress: StartedProgress, cause: unknown) {
    super('an operation was interrupted', { cause })
    this.progress = progress
  }
}

/** Returns the cause of an `OperationInterrupted`, and any other error unchanged. */
export const causeOf = (error: unknown): unknown => (error instanceof OperationInterrupted ? error.cause : error)

/** Runs `act`, and adds the progress to any error that it throws. A fresh operation has no progress to add. */
export async function keepingProgress<T>(progress: OperationProgress, act: () => Promise<T>): Promise<T> {
  if (progress.state === 'fresh') return act()
  try {
    return await act()
  } catch (error) {
    throw error instanceof OperationInterrupted ? error : new OperationInterrupted(progress, error)
  }
}
