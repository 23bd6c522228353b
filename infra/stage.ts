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
}

const stages: Readonly<Record<string, Omit<Stage, 'name'>>> = {
  dev: {
    logRetention: RetentionDays.ONE_WEEK,
    liveAcquirer: 'sandbox',
    requestsPerSecond: 50,
    requestsAtOnce: 100,
    workersPerQueue: 2,
  },
  staging: {
    logRetention: RetentionDays.ONE_MONTH,
    liveAcquirer: 'sandbox',
    requestsPerSecond: 500,
    requestsAtOnce: 1000,
    workersPerQueue: 10,
  },
  prod: {
    logRetention: RetentionDays.THREE_MONTHS,
    liveAcquirer: 'none',
    requestsPerSecond: 2000,
    requestsAtOnce: 4000,
    workersPerQueue: 50,
  },
}

/** The stage of that name; throws for a name that is none, so that a misspelt one deploys nothing. */
export function stageOf(name: string): Stage {
  const stage = stages[name]
  if (!stage) throw new Error(`There is no stage "${name}". Choose one of: ${Object.keys(stages).join(', ')}.`)
  return { name, ...stage }
}
