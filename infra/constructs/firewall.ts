import type { IKey } from 'aws-cdk-lib/aws-kms'
import { CfnLoggingConfiguration, CfnWebACL, CfnWebACLAssociation } from 'aws-cdk-lib/aws-wafv2'
import { Construct } from 'constructs'
import { arnOf } from '#infra/access/access-policies.ts'
import type { Names } from '#infra/names.ts'
import type { FirewallLimits, Stage } from '#infra/stage.ts'
import { suspicious_labels } from './firewall-groups.ts'
import { PAGE_BLOCKED } from './firewall-page.ts'
import { firewallRules } from './firewall-rules.ts'
import { stageLog } from './stage-log.ts'

interface FirewallProps {
  readonly stage: Stage
  readonly limits: FirewallLimits
  readonly names: Names
  /** The ARN of the API stage that the firewall protects. */
  readonly resourceArn: string
  readonly key: IKey
}

/**
 * `Firewall` protects the whole API, pages included. It blocks requests above the limit of a key or an address, and
 * marks suspicious requests for the functions.
 */
export class Firewall extends Construct {
  constructor(scope: Construct, id: string, { stage, limits, names, resourceArn, key }: FirewallProps) {
    super(scope, id)
    const acl = new CfnWebACL(this, 'Acl', {
      name: names.firewall,
      scope: 'REGIONAL',
      defaultAction: { allow: {} },
      rules: firewallRules(limits, stage.name),
      customResponseBodies: PAGE_BLOCKED.bodies,
      visibilityConfig: { metricName: names.firewall, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false },
    })
    new CfnWebACLAssociation(this, 'Association', { webAclArn: acl.attrArn, resourceArn })
    const log = stageLog(this, 'Log', { stage, logGroupName: names.firewallLog, encryptionKey: key })
    const logging = new CfnLoggingConfiguration(this, 'Logging', {
      resourceArn: acl.attrArn,
      logDestinationConfigs: [arnOf('logs', `log-group:${names.firewallLog}`)],
      redactedFields: unlogged,
      loggingFilter: blockedOrSuspicious,
    })
    logging.node.addDependency(log)
  }
}

/**
 * The fields that the log omits, because a reader could repeat a request with them: the ids in paths open pages, and an
 * idempotency key opens a stored response.
 */
const unlogged = [
  { uriPath: {} },
  { queryString: {} },
  ...['authorization', 'cookie', 'idempotency-key'].map((Name) => ({ singleHeader: { Name } })),
]

/** Logs blocked and suspicious requests only. The functions log every other request. */
const blockedOrSuspicious = {
  DefaultBehavior: 'DROP',
  Filters: [
    {
      Behavior: 'KEEP',
      Requirement: 'MEETS_ANY',
      Conditions: [
        { ActionCondition: { Action: 'BLOCK' } },
        ...suspicious_labels.map((LabelName) => ({ LabelNameCondition: { LabelName } })),
      ],
    },
  ],
}
