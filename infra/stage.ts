import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { StageProperties } from './stage-properties.ts'

/** In what one deployment of the service differs from another. */
export interface Stage {
  readonly name: string
  /** What the definition of the stage states. */
  readonly properties: StageProperties
  /** How long every log is kept. */
  readonly logRetention: RetentionDays
  /** Who charges live payments; with `none` they answer 503. */
  readonly liveAcquirer: 'sandbox' | 'none'
  /** What the whole API takes, all merchants together, before it answers 429. */
  readonly requestsPerSecond: number
  readonly requestsAtOnce: number
  /** What the firewall lets through; absent, there is none. */
  readonly firewall?: FirewallLimits
  /** CloudFormation refuses to delete the stacks, and the table, the files, the keys and the logs outlive them. */
  readonly deletionProtection: boolean
  /** The table and the files can be brought back as they were in the last days, and what was erased is in no copy longer. */
  readonly recoveryDays: number
  /** How many functions work on one queue at the same time, at least 2. */
  readonly workersPerQueue: number
  /**
   * How many deliveries are under way at the same time, at least 2: receivers that hang take their share of these, not of
   * the API's. With the workers of the other queues it is at most half of the 1,000 functions that an account may run at
   * the same time unless it asks for more.
   */
  readonly deliveriesAtOnce: number
}

/**
 * How many requests a minute are let through: the contract's limits of a key, for each spelling of its credential, and the
 * limit of one address, once for the API and once for the pages.
 */
export interface FirewallLimits {
  readonly live_key: number
  readonly test_key: number
  readonly address: number
}

/** An address may be that of a platform with several keys, or of many customers: twice what the busiest key may. */
const firewall: FirewallLimits = { live_key: 6_000, test_key: 1_500, address: 12_000 }

const stages: Readonly<Record<string, Omit<Stage, 'name' | 'properties'>>> = {
  dev: {
    // Anybody may make one and throw it away.
    deletionProtection: false,
    recoveryDays: 1,
    logRetention: RetentionDays.ONE_WEEK,
    liveAcquirer: 'sandbox',
    requestsPerSecond: 50,
    requestsAtOnce: 100,
    workersPerQueue: 2,
    deliveriesAtOnce: 10,
  },
  staging: {
    firewall,
    deletionProtection: true,
    recoveryDays: 7,
    logRetention: RetentionDays.ONE_MONTH,
    liveAcquirer: 'sandbox',
    requestsPerSecond: 500,
    requestsAtOnce: 1000,
    workersPerQueue: 10,
    deliveriesAtOnce: 100,
  },
  prod: {
    firewall,
    deletionProtection: true,
    // Longer would keep erased cards longer.
    recoveryDays: 7,
    // As long as card networks ask for the trail of who did what.
    logRetention: RetentionDays.ONE_YEAR,
    liveAcquirer: 'none',
    requestsPerSecond: 2000,
    requestsAtOnce: 4000,
    workersPerQueue: 50,
    deliveriesAtOnce: 400,
  },
}

/** What the stages are called. */
export const stageNames: readonly string[] = Object.keys(stages)

/** The name of a stage. Throws for a name that no stage has, so that a misspelt one deploys nothing. */
export function knownStage(name: string): string {
  if (!Object.hasOwn(stages, name))
    throw new Error(`There is no stage "${name}". Choose one of: ${stageNames.join(', ')}.`)
  return name
}

/** Whether CloudFormation refuses to delete the stacks of a stage. Throws for a name that no stage has. */
export const isProtected = (name: string): boolean => stages[knownStage(name)]!.deletionProtection

/** The stage of that name with the properties of its definition. Throws for a name that no stage has. */
export function stageOf(name: string, properties: StageProperties): Stage {
  return { name, ...stages[knownStage(name)]!, properties }
}
