import { createHash } from 'node:crypto'

/**
 * The name of the service on AWS. The name of every resource contains it, before the stage. The namespace of the
 * metrics has the same name.
 */
export const SERVICE = 'payment-service'

/** The log event of a charge, capture, refund or void whose outcome is unknown after the last scheduled inquiry. */
export const UNRESOLVED = 'charge_unresolved'

/** The maximum length of the name of a Lambda function. */
const FUNCTION_NAME_LETTERS = 64

/**
 * The slots of a stage with releases. Each slot has all functions of one release. One slot serves, the other one gets
 * the next release.
 */
export const SLOTS = ['a', 'b'] as const
export type Slot = (typeof SLOTS)[number]

/** The slot that does not have this name. */
export const otherSlot = (slot: Slot): Slot => (slot === 'a' ? 'b' : 'a')

/**
 * `namesOf` returns the literal names of a stage's resources. Stacks refer to each other's resources by these names
 * instead of by exports, so each stack can be deployed, replaced and rolled back alone. Only the network stack has
 * exports, because CloudFormation refuses to delete what another stack imports.
 */
export function namesOf(stage: string) {
  const own = (thing: string) => `${SERVICE}-${stage}-${thing}`
  return {
    stack: own,
    /** The role that deploys the stage. */
    deployer: own('deployer'),
    table: own('table'),
    /**
     * The SSM parameter with the ARN of the table's stream. The ARN holds a creation time, so no name determines it.
     */
    streamArn: `/${SERVICE}/${stage}/stream-arn`,
    /** Bucket names are unique in the world, so this name includes the account and the region. */
    filesBucket: (account: string, region: string) => own(`files-${account}-${region}`),
    queue: (queue: string) => own(queue),
    deadLetters: (queue: string) => own(`${queue}-dead-letters`),
    everyMinute: own('every-minute'),
    network: own('network'),
    /** The export of a subnet that deliveries go out from. `zone` counts from 0. */
    deliverySubnet: (zone: number | string) => own(`delivery-subnet-${zone}`),
    /** The export of the security group of deliveries. */
    deliverySecurityGroup: own('delivery-security-group'),
    /** This dead-letter queue holds failed invocations. The sweep retries the work that is lost here. */
    lostWakeUps: own('lost-wake-ups'),
    dataKey: `alias/${own('data')}`,
    /** The SSM parameter with the ARN of the data key. A log group accepts no alias. */
    dataKeyArn: `/${SERVICE}/${stage}/data-key-arn`,
    vaultKey: `alias/${own('vault')}`,
    api: own('api'),
    firewall: own('firewall'),
    /** AWS WAF writes only to log groups whose names begin with `aws-waf-logs-`. */
    firewallLog: `aws-waf-logs-${own('firewall')}`,
    alarms: own('alarms'),
    /** The metric that counts charges whose outcome became known, by outcome. */
    payments: own('payments'),
    /** The metric that counts attempts of deliveries, by attempt number. */
    attempts: own('delivery-attempts'),
    /** The metric of the time from an event to the first attempt of its delivery, in milliseconds. */
    firstLatency: own('first-delivery-latency'),
    /** The metric of how long the oldest outbox row has been overdue, in seconds. */
    outbox: own('outbox'),
    /** The metric of how long the outcome of an operation has been unknown, in seconds. */
    unresolvedSeconds: own('unresolved-seconds'),
    /** The metric that counts operations whose outcome is still unknown after the last scheduled inquiry. */
    unresolved: own('unresolved'),
    /**
     * The name of the function of a file: `payments/create` becomes `payment-service-dev-payments-create`. A name
     * longer than 64 characters is cut and ends in a hash.
     */
    function: (file: string) => shortened(own(file.replaceAll('/', '-'))),
    /** The metric of how long the oldest due record has been overdue, in seconds. */
    overdue: own('overdue'),
    /** The prefix of the names of all functions. */
    functions: own(''),
    /** The metric that counts the requests to the candidate of a release. */
    candidateRequests: own('candidate-requests'),
    /** The metric that counts the 5xx responses of the candidate of a release. */
    candidateErrors: own('candidate-server-errors'),
    /** The metric of the latency of the candidate of a release, in milliseconds. */
    candidateLatency: own('candidate-latency'),
  }
}

/**
 * `namesInSlot` returns the literal names of what a slot has. Slot `a` has the names of a stage without slots, so a
 * stage that was deployed without slots becomes slot `a`.
 */
export function namesInSlot(stage: string, slot: Slot) {
  const own = `${SERVICE}-${stage}`
  const prefix = slot === 'a' ? own : `${own}-${slot}`
  const suffix = slot === 'a' ? '' : `-${slot}`
  // Both slots leave the same room, because one URI with a variable prefix names the function of a file in both.
  const letters = FUNCTION_NAME_LETTERS - `${own}-b-`.length
  const tail = (file: string) => shortened(file.replaceAll('/', '-'), letters)
  return {
    stack: `${own}-functions${suffix}`,
    /** What the names of the functions of the slot begin with, and what follows it in the name of a file's function. */
    prefix,
    tail,
    function: (file: string) => `${prefix}-${tail(file)}`,
    everyMinute: `${own}-every-minute${suffix}`,
    /** The metric that counts unresolved operations of the workers of the slot. */
    unresolved: `${own}-${slot}-unresolved`,
    /** The metric that counts failed messages of the workers of the slot. */
    failedWork: `${own}-${slot}-failed-work`,
    /** The alarms that end a release into the slot. */
    alarms: ['candidate-server-errors', 'candidate-latency', `${slot}-unresolved`, `${slot}-failed-work`].map(
      (alarm) => `${own}-${alarm}`,
    ),
  }
}

/** The literal names of one stage's resources. */
export type Names = ReturnType<typeof namesOf>

/** The literal names of one slot's resources. */
export type SlotNames = ReturnType<typeof namesInSlot>

function shortened(name: string, letters = FUNCTION_NAME_LETTERS): string {
  if (name.length <= letters) return name
  const hash = createHash('sha256').update(name).digest('hex').slice(0, 8)
  return `${name.slice(0, letters - hash.length - 1)}-${hash}`
}
