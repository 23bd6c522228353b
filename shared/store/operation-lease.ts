import type { BegunOperation, OperationProgress } from '#shared/domain/operation-progress.ts'
import type { Write } from '#shared/platform/ports.ts'

/** The lease of a request on its idempotency key, as far as an operation at the acquirer needs it. */
export interface OperationLease {
  /** The write that binds the key to an operation. It is committed in the transaction that begins the operation. */
  bind(operation: BegunOperation): Write
  /** Informs the lease that the write of `bind` is committed. */
  held(): void
}

/**
 * The state from which an operation at the acquirer continues: its progress, and the lease of the request on its
 * idempotency key.
 */
export interface OperationContext {
  readonly progress: OperationProgress
  readonly lease?: OperationLease
}
