import type { Deployment } from './deployment.ts'

/** One check of the smoke test, of something that merchants depend on. */
export interface Check {
  /** A sentence that says what works. */
  readonly what: string
  /** Whether the check sends a publishable key. The check is skipped if none is given. */
  readonly uses_publishable_key?: true
  /** Throws an error that says what does not work. */
  run(api: Deployment, afterwards: Afterwards): Promise<void>
}

/**
 * Registers the request that undoes what a check created. The request is sent after the check, also if the check fails.
 */
export type Afterwards = (route: string) => void
