import { RetentionDays } from 'aws-cdk-lib/aws-logs'

/** In what one deployment of the service differs from another. What is given at its deployment is read by `withGiven`. */
export interface Stage {
  readonly name: string
  /** How long every log is kept. */
  readonly logRetention: RetentionDays
  /** Who charges live payments; with `none` they answer 503. */
  readonly liveAcquirer: 'sandbox' | 'none'
  /** What the whole API takes, all merchants together, before it answers 429. */
  readonly requestsPerSecond: number
  readonly requestsAtOnce: number
  /** What the firewall lets through; absent, there is none. */
  readonly firewall?: FirewallLimits
  /** The name of the API's own, and the ARN of its certificate in the region of the stage; absent, AWS gives it one. */
  readonly domain?: { readonly name: string; readonly certificate_arn: string }
  /** Deliveries come from fixed addresses, which merchants can let in; that takes a network and gateways of its own. */
  readonly fixedAddresses: boolean
  /** CloudFormation refuses to delete the stacks, and the table, the files, the keys and the logs outlive them. */
  readonly deletionProtection: boolean
  /** The table and the files can be brought back as they were in the last days, and what was erased is in no copy longer. */
  readonly recoveryDays: number
  /** Who is told of alarms, by e-mail; others subscribe to the topic themselves. */
  readonly alarmEmails: readonly string[]
  /** How many functions work on one queue at the same time, at least 2. */
  readonly workersPerQueue: number
  /**
   * How many deliveries are under way at the same time, at least 2: receivers that hang take their share of these, not of
   * the API's. With the workers of the other queues it is at most half of the 1,000 functions that an account may run at
   * the same time unless it asks for more.
   */
  readonly deliveriesAtOnce: number
}

/** How many requests a minute are let through: the contract's limits of a key, and of one address with whatever keys. */
export interface FirewallLimits {
  readonly live_key: number
  readonly test_key: number
  readonly address: number
}

/** An address may be that of a platform with several keys, or of many customers: twice what the busiest key may. */
const firewall: FirewallLimits = { live_key: 6_000, test_key: 1_500, address: 12_000 }

/** What whoever deploys gives by `-c`: nothing, unless they do. */
const ungiven = { fixedAddresses: false, alarmEmails: [] } as const

const stages: Readonly<Record<string, Omit<Stage, 'name'>>> = {
  dev: {
    ...ungiven,
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
    ...ungiven,
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
    ...ungiven,
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

/** The stage of that name; throws for a name that is none, so that a misspelt one deploys nothing. */
export function stageOf(name: string): Stage {
  const stage = stages[name]
  if (!stage) throw new Error(`There is no stage "${name}". Choose one of: ${stageNames.join(', ')}.`)
  return { name, ...stage }
}
