import { RetentionDays } from 'aws-cdk-lib/aws-logs'

/** In what one deployment of the service differs from another. */
export interface Stage {
  readonly name: string
  readonly logRetention: RetentionDays
  /** Who charges live payments; with `none` they answer 503. */
  readonly liveAcquirer: 'sandbox' | 'none'
  /** What the whole API takes, all merchants together, before it answers 429. */
  readonly requestsPerSecond: number
  readonly requestsAtOnce: number
  /** How many functions work on one queue at the same time, at least 2. */
  readonly workersPerQueue: number
  /**
   * How many deliveries are under way at the same time, at least 2: receivers that hang take their share of these, not of
   * the API's. With the workers of the other queues it is at most half of the 1,000 functions that an account may run at
   * the same time unless it asks for more.
   */
  readonly deliveriesAtOnce: number
}

const stages: Readonly<Record<string, Omit<Stage, 'name'>>> = {
  dev: {
    logRetention: RetentionDays.ONE_WEEK,
    liveAcquirer: 'sandbox',
    requestsPerSecond: 50,
    requestsAtOnce: 100,
    workersPerQueue: 2,
    deliveriesAtOnce: 10,
  },
  staging: {
    logRetention: RetentionDays.ONE_MONTH,
    liveAcquirer: 'sandbox',
    requestsPerSecond: 500,
    requestsAtOnce: 1000,
    workersPerQueue: 10,
    deliveriesAtOnce: 100,
  },
  prod: {
    logRetention: RetentionDays.THREE_MONTHS,
    liveAcquirer: 'none',
    requestsPerSecond: 2000,
    requestsAtOnce: 4000,
    workersPerQueue: 50,
    deliveriesAtOnce: 400,
  },
}

/** The stage of that name; throws for a name that is none, so that a misspelt one deploys nothing. */
export function stageOf(name: string): Stage {
  const stage = stages[name]
  if (!stage) throw new Error(`There is no stage "${name}". Choose one of: ${Object.keys(stages).join(', ')}.`)
  return { name, ...stage }
}
