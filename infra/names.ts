import { createHash } from 'node:crypto'

/** What everything of ours is called by in an account; the stage follows it. */
export const SERVICE = 'payment-service'

/** What the log says of a charge, capture, refund or void that no inquiry could settle. */
export const UNRESOLVED = 'charge_unresolved'

/** The longest name that Lambda takes. */
const FUNCTION_NAME_LETTERS = 64

/**
 * The literal names by which the stacks of a stage know each other. There are no exports between stacks, so each can be
 * deployed, replaced and rolled back without asking the others.
 */
export function namesOf(stage: string) {
  const own = (thing: string) => `${SERVICE}-${stage}-${thing}`
  return {
    stack: own,
    table: own('table'),
    /** Where the ARN of the table's stream is told, which nobody can know beforehand. */
    streamArn: `/${SERVICE}/${stage}/stream-arn`,
    /** The name of a bucket is unique in the world, hence account and region. */
    filesBucket: (account: string, region: string) => own(`files-${account}-${region}`),
    queue: (queue: string) => own(queue),
    deadLetters: (queue: string) => own(`${queue}-dead-letters`),
    dataKey: `alias/${own('data')}`,
    vaultKey: `alias/${own('vault')}`,
    api: own('api'),
    alarms: own('alarms'),
    /** The metric that counts operations whose outcome nobody will ask for any more. */
    unresolved: own('unresolved'),
    /** `payments/create` is `payment-service-dev-payments-create`; what is too long ends in a hash of itself. */
    function: (file: string) => shortened(own(file.replaceAll('/', '-'))),
    /** The metric that tells for how many seconds the oldest thing that fell due has not been done. */
    overdue: own('overdue'),
    /** What the names of all functions begin with. */
    functions: own(''),
  }
}

/** The names of one stage. */
export type Names = ReturnType<typeof namesOf>

function shortened(name: string): string {
  if (name.length <= FUNCTION_NAME_LETTERS) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, FUNCTION_NAME_LETTERS - hash.length - 1)}-${hash}`
}
