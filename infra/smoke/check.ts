import type { Deployment } from './deployment.ts'

/** One thing that would hurt if a deployment had broken it. */
export interface Check {
  /** A sentence about what works. */
  readonly what: string
  /** Throws what does not work. */
  run(api: Deployment, afterwards: Afterwards): Promise<void>
}

/** Takes the request that takes back what a check has made: it is made after the check, whatever becomes of that. */
export type Afterwards = (route: string) => void
