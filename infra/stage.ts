import { RetentionDays } from 'aws-cdk-lib/aws-logs'
import type { QueueName } from '#shared/platform/ports.ts'
import type { StageProperties } from './stage-properties.ts'

/** A stage is one deployment of the service. This type holds what differs between stages. */
export interface Stage {
  readonly name: string
  /** The properties that the definition of the stage states. */
  readonly properties: StageProperties
  /** How long every log is retained. */
  readonly logRetention: RetentionDays
  /** The acquirer of live payments. With `none`, live payments are refused with 503. */
  readonly liveAcquirer: 'sandbox' | 'none'
  /** The rate and the burst of requests that the API accepts from all merchants together. Further requests get 429. */
  readonly requestsPerSecond: number
  readonly requestsAtOnce: number
  /**
   * Whether `npm run release` deploys the stage: into the idle one of two slots, to which it then shifts the traffic.
   * Without slots, `cdk deploy` replaces the functions in place.
   */
  readonly hasSlots: boolean
  /** The limits of the firewall. A stage without limits has no firewall. */
  readonly firewall?: FirewallLimits
  /**
   * If true, CloudFormation refuses to delete the stacks. If a stack is deleted after its protection is off, the table,
   * the files, the keys and the logs are retained.
   */
  readonly deletionProtection: boolean
  /** How many days back the table and the files can be restored. Copies of erased data expire after the same time. */
  readonly recoveryDays: number
  /**
   * The maximum number of concurrent workers of `captures` and `chores` each. At least 2, which is the minimum of
   * SQS event sources.
   */
  readonly workersPerQueue: number
  /**
   * The maximum number of concurrent deliveries, at least 2. Receivers that hang occupy these functions and none of the
   * functions of the API. This maximum and those of the other queues add up to at most half of the 1,000 concurrent
   * functions that an account has by default. `operate quotas` computes what an account needs for all functions.
   */
  readonly deliveriesAtOnce: number
  /** What the table sustains at once. A table without it begins with what DynamoDB gives to every new table. */
  readonly warmThroughput?: WarmThroughput
}

/**
 * The read and write units per second that a table takes at once, without time to grow. The values can be raised and
 * never lowered.
 */
export interface WarmThroughput {
  readonly readUnits: number
  readonly writeUnits: number
  /** The write units of the due index. Every payment writes a few rows of it. */
  readonly indexWriteUnits: number
}

/** What DynamoDB gives to every new table on demand. */
export const NEW_TABLE: WarmThroughput = { readUnits: 12_000, writeUnits: 4_000, indexWriteUnits: 4_000 }

/**
 * The limits of the firewall, in requests per minute. The limit of a key applies to each spelling of its credential.
 * The limit of an address applies once to the API with its documentation, and once to the pages.
 */
export interface FirewallLimits {
  readonly live_key: number
  readonly test_key: number
  readonly address: number
}

/**
 * Merchants are promised 6,000 requests per minute for a live key and 1,500 for a test key. An address can belong to a
 * platform with several keys or to many customers, so its limit is twice that of a live key.
 */
const firewall: FirewallLimits = { live_key: 6_000, test_key: 1_500, address: 12_000 }

const stages: Readonly<Record<string, Omit<Stage, 'name' | 'properties'>>> = {
  dev: {
    hasSlots: false,
    // Any engineer can create this stage and delete it.
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
    hasSlots: false,
    firewall,
    deletionProtection: true,
    recoveryDays: 7,
    logRetention: RetentionDays.ONE_MONTH,
    liveAcquirer: 'sandbox',
    requestsPerSecond: 500,
    requestsAtOnce: 1000,
    workersPerQueue: 10,
    deliveriesAtOnce: 100,
    warmThroughput: { readUnits: 12_000, writeUnits: 16_000, indexWriteUnits: 4_000 },
  },
  prod: {
    hasSlots: true,
    firewall,
    deletionProtection: true,
    // A longer time would keep erased cards in backups for longer.
    recoveryDays: 7,
    // Card networks require an audit trail of one year.
    logRetention: RetentionDays.ONE_YEAR,
    liveAcquirer: 'none',
    requestsPerSecond: 2000,
    requestsAtOnce: 4000,
    workersPerQueue: 49,
    deliveriesAtOnce: 400,
    warmThroughput: { readUnits: 16_000, writeUnits: 64_000, indexWriteUnits: 16_000 },
  },
}

/** The names of all stages. */
export const stageNames: readonly string[] = Object.keys(stages)

/** Returns `name` if it is the name of a stage. Throws for any other name, so that a misspelt name deploys nothing. */
export function knownStage(name: string): string {
  if (!Object.hasOwn(stages, name))
    throw new Error(`There is no stage "${name}". Choose one of: ${stageNames.join(', ')}.`)
  return name
}

/** Whether CloudFormation refuses to delete the stacks of a stage. Throws for an unknown stage. */
export const isProtected = (name: string): boolean => stages[knownStage(name)]!.deletionProtection

/** Whether a release deploys a stage, and not a plain deployment. Throws for an unknown stage. */
export const hasSlots = (name: string): boolean => stages[knownStage(name)]!.hasSlots

/** Returns the stage `name` with its settings and the given properties. Throws for an unknown stage. */
export function stageOf(name: string, properties: StageProperties): Stage {
  return { name, ...stages[knownStage(name)]!, properties }
}

/** The maximum number of concurrent workers of test clocks: the minimum of SQS event sources. A look takes little time. */
const CLOCK_WORKERS = 2

/** The maximum number of concurrent workers of a queue. */
export function workersAtOnce({ deliveriesAtOnce, workersPerQueue }: Stage, queue: QueueName): number {
  if (queue === 'clocks') return CLOCK_WORKERS
  return queue === 'deliveries' ? deliveriesAtOnce : workersPerQueue
}
