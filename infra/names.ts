import { createHash } from 'node:crypto'

/** What everything of ours is called by in an account; the stage follows it. */
export const SERVICE = 'payment-service'

/** What the log says of a charge, capture, refund or void that no inquiry could settle. */
export const UNRESOLVED = 'charge_unresolved'

/** The longest name that Lambda takes. */
const FUNCTION_NAME_LETTERS = 64

/**
 * The literal names by which the stacks of a stage know each other. There are no exports between stacks, so each can be
 * deployed, replaced and rolled back without asking the others. Only the network stack has exports, because CloudFormation
 * keeps what another stack imports.
 */
export function namesOf(stage: string) {
  const own = (thing: string) => `${SERVICE}-${stage}-${thing}`
  return {
    stack: own,
    /** The role that deploys the stage. */
    deployer: own('deployer'),
    table: own('table'),
    /** Where the ARN of the table's stream is told, which nobody can know beforehand. */
    streamArn: `/${SERVICE}/${stage}/stream-arn`,
    /** The name of a bucket is unique in the world, hence account and region. */
    filesBucket: (account: string, region: string) => own(`files-${account}-${region}`),
    queue: (queue: string) => own(queue),
    deadLetters: (queue: string) => own(`${queue}-dead-letters`),
    everyMinute: own('every-minute'),
    network: own('network'),
    /** The export of the subnet of a zone, counted from 0, that deliveries go out from. */
    deliverySubnet: (zone: number | string) => own(`delivery-subnet-${zone}`),
    /** The export of the security group of deliveries. */
    deliverySecurityGroup: own('delivery-security-group'),
    /** Where what could not even be woken is kept: what was lost so, the sweep does anyway. */
    lostWakeUps: own('lost-wake-ups'),
    dataKey: `alias/${own('data')}`,
    /** Where the ARN of that key is told: a log group takes no alias. */
    dataKeyArn: `/${SERVICE}/${stage}/data-key-arn`,
    vaultKey: `alias/${own('vault')}`,
    api: own('api'),
    firewall: own('firewall'),
    /** The name of a firewall's log begins like this, or the firewall does not write to it. */
    firewallLog: `aws-waf-logs-${own('firewall')}`,
    alarms: own('alarms'),
    /** The metric of charges whose outcome became known, by outcome. */
    payments: own('payments'),
    /** The metric of attempts to deliver, by number. */
    attempts: own('delivery-attempts'),
    /** The metric that tells how long after its event the first attempt of a delivery began. */
    firstLatency: own('first-delivery-latency'),
    /** The metric that tells for how many seconds an event has been due of which nobody was told. */
    outbox: own('outbox'),
    /** The metric that tells for how many seconds the outcome of an operation has been unknown. */
    unresolvedSeconds: own('unresolved-seconds'),
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
