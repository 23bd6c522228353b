import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import { managed_groups, refused_labels } from './firewall-groups.ts'
import type { FirewallLimits } from './stage.ts'

type Rule = CfnWebACL.RuleProperty
type Statement = CfnWebACL.StatementProperty

/** What is answered to what looks like an attack. Its form is that of all our errors; it cannot carry a request's id. */
export const REFUSED = {
  key: 'refused',
  status: 403,
  body: JSON.stringify({
    error: { code: 'forbidden', message: 'This request was refused.', param: null, details: null, request_id: null },
  }),
} as const

/**
 * The rules in the order that they are asked in. Who is too fast is blocked without an answer of the rule's own, so that
 * the gateway answers 429. What AWS finds is only counted and labelled; what is labelled so that no honest client can
 * have sent it, is refused.
 */
export function firewallRules({ live_key, test_key, address }: FirewallLimits): Rule[] {
  const rules = [
    limit('live-keys', live_key, { ...byCredential, scopeDownStatement: isKeyOf('live') }),
    limit('test-keys', test_key, { ...byCredential, scopeDownStatement: isKeyOf('test') }),
    limit('addresses', address, { aggregateKeyType: 'IP' }),
    ...managed_groups.map(counted),
    refused,
  ]
  return rules.map((rule, priority) => ({ ...rule, priority }))
}

/** Counted for each minute, which is the contract's own measure. */
const WINDOW_SECONDS = 60

function limit(name: string, requests: number, by: Omit<CfnWebACL.RateBasedStatementProperty, 'limit'>): Rule {
  const rateBasedStatement = { limit: requests, evaluationWindowSec: WINDOW_SECONDS, ...by }
  return { name, priority: 0, action: { block: {} }, statement: { rateBasedStatement }, visibilityConfig: seen(name) }
}

const AUTHORIZATION = 'authorization'

/** A credential is what the header holds; how many spaces it holds makes no other one. */
const byCredential = {
  aggregateKeyType: 'CUSTOM_KEYS',
  customKeys: [
    {
      header: { name: AUTHORIZATION, textTransformations: [{ priority: 0, type: 'COMPRESS_WHITE_SPACE' }] },
    },
  ],
}

/**
 * Keys begin with their mode, and so does their base64, as far as whole letters of it hold nothing of what follows. The
 * name of the scheme may be written in any case, so all of the header is compared in lower case.
 */
function isKeyOf(mode: 'live' | 'test'): Statement {
  return {
    orStatement: { statements: ['sk', 'pk'].map((kind) => startsWith(`basic ${inBase64(`${kind}_${mode}_`)}`)) },
  }
}

const inBase64 = (beginning: string): string =>
  Buffer.from(beginning)
    .toString('base64')
    .slice(0, Math.floor((beginning.length * 8) / 6))

function startsWith(text: string): Statement {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: AUTHORIZATION } },
      positionalConstraint: 'STARTS_WITH',
      searchString: text.toLowerCase(),
      textTransformations: [
        { priority: 0, type: 'COMPRESS_WHITE_SPACE' },
        { priority: 1, type: 'LOWERCASE' },
      ],
    },
  }
}

/** A group of AWS's rules that looks at each request. */
function counted({ name, rules }: (typeof managed_groups)[number]): Rule {
  const managedRuleGroupStatement = {
    vendorName: 'AWS',
    name,
    // A rule that blocked would end the group, and the rules behind it would label nothing.
    ruleActionOverrides: rules.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
  }
  return {
    name,
    priority: 0,
    // Rules that AWS adds one day block nobody either.
    overrideAction: { count: {} },
    statement: { managedRuleGroupStatement },
    visibilityConfig: seen(name),
  }
}

const refused: Rule = {
  name: 'refused',
  priority: 0,
  action: { block: { customResponse: { responseCode: REFUSED.status, customResponseBodyKey: REFUSED.key } } },
  statement: {
    orStatement: {
      statements: refused_labels.map((label) => ({
        labelMatchStatement: { scope: 'LABEL', key: `awswaf:managed:aws:${label}` },
      })),
    },
  },
  visibilityConfig: seen('refused'),
}

/** Counted, but no samples of requests are kept: they hold keys. */
function seen(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false }
}
