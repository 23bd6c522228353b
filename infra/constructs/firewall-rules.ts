import type { CfnWebACL } from 'aws-cdk-lib/aws-wafv2'
import type { FirewallLimits } from '#infra/stage.ts'
import { PAGES_PATH } from '#shared/routes.ts'
import { listed_labels, managed_groups, suspicious_labels } from './firewall-groups.ts'
import { PAGE_BLOCKED } from './firewall-page.ts'

type Rule = CfnWebACL.RuleProperty
type Statement = CfnWebACL.StatementProperty

/** The names of the rules that block requests above a limit. No other rule blocks. */
export const blocking_rules = ['live-keys', 'test-keys', 'page-addresses', 'addresses'] as const

/** The names of the rules that mark a request for the functions by a header. */
export const marking_rules = ['suspicious-requests', 'oversize-headers', 'listed-addresses'] as const

/**
 * `firewallRules` lists the rules of a stage's firewall in the order in which AWS WAF evaluates them. Rate rules block.
 * Managed rule groups count and label. Each of the last rules inserts a header, because of which the functions refuse
 * or log the request. AWS WAF prefixes the names of the headers below with `x-amzn-waf-`.
 */
export function firewallRules({ live_key, test_key, address }: FirewallLimits, stage: string): Rule[] {
  const rules = [
    limit('live-keys', live_key, { ...byCredential, scopeDownStatement: isKeyOf('live') }),
    limit('test-keys', test_key, { ...byCredential, scopeDownStatement: isKeyOf('test') }),
    limit('page-addresses', address, { ...byAddress, scopeDownStatement: isPage(stage) }, PAGE_BLOCKED.response),
    limit('addresses', address, { ...byAddress, scopeDownStatement: { notStatement: { statement: isPage(stage) } } }),
    ...managed_groups.map(counted),
    marks('suspicious-requests', hasLabel(suspicious_labels), { name: 'request', value: 'suspicious' }),
    marks('oversize-headers', hasOversizeHeaders, { name: 'headers', value: 'oversize' }),
    marks('listed-addresses', hasLabel(listed_labels), { name: 'address', value: 'listed' }),
  ]
  return rules.map((rule, priority) => ({ ...rule, priority }))
}

/** The limits are requests per minute, so the rate rules count per minute. */
const WINDOW_SECONDS = 60

/** A rate rule. Without `customResponse`, API Gateway responds with 429. */
function limit(
  name: (typeof blocking_rules)[number],
  requests: number,
  by: Omit<CfnWebACL.RateBasedStatementProperty, 'limit'>,
  customResponse?: CfnWebACL.CustomResponseProperty,
): Rule {
  return {
    name,
    priority: 0,
    action: { block: { ...(customResponse && { customResponse }) } },
    statement: { rateBasedStatement: { limit: requests, evaluationWindowSec: WINDOW_SECONDS, ...by } },
    visibilityConfig: seen(name),
  }
}

const AUTHORIZATION = 'authorization'

/**
 * These transformations map all spellings of white space and of the scheme's name to one value. Lower case also changes
 * the base64, but never maps two keys to one value: no two texts of digits, lower-case letters, `_` and `:` have base64
 * that differs in case alone.
 */
const normalized = [
  { priority: 0, type: 'COMPRESS_WHITE_SPACE' },
  { priority: 1, type: 'LOWERCASE' },
]

/** A rate rule can count by a whole header only, not by a part of it. */
const byCredential = {
  aggregateKeyType: 'CUSTOM_KEYS',
  customKeys: [{ header: { name: AUTHORIZATION, textTransformations: normalized } }],
}

const byAddress = { aggregateKeyType: 'IP' }

/**
 * Matches the keys of a mode by the beginning of their base64: the characters that depend only on `sk_<mode>_` or
 * `pk_<mode>_`. `CONTAINS` also matches a value with leading white space, in case the firewall sees white space that
 * HTTP strips.
 */
function isKeyOf(mode: 'live' | 'test'): Statement {
  return {
    orStatement: { statements: ['sk', 'pk'].map((kind) => contains(`basic ${inBase64(`${kind}_${mode}_`)}`)) },
  }
}

const inBase64 = (beginning: string): string =>
  Buffer.from(beginning)
    .toString('base64')
    .slice(0, Math.floor((beginning.length * 8) / 6))

function contains(text: string): Statement {
  return {
    byteMatchStatement: {
      fieldToMatch: { singleHeader: { Name: AUTHORIZATION } },
      positionalConstraint: 'CONTAINS',
      searchString: text.toLowerCase(),
      textTransformations: normalized,
    },
  }
}

/**
 * Matches the paths of the pages. Under the default host name of API Gateway, a path begins with the stage. Under a
 * domain name, it does not.
 */
function isPage(stage: string): Statement {
  return {
    regexMatchStatement: {
      fieldToMatch: { uriPath: {} },
      regexString: `^(/${stage})?${PAGES_PATH}(/|$)`,
      textTransformations: [{ priority: 0, type: 'NONE' }],
    },
  }
}

/** A managed rule group that inspects every request, and counts and labels without blocking. */
function counted({ name, rules }: (typeof managed_groups)[number]): Rule {
  const managedRuleGroupStatement = {
    vendorName: 'AWS',
    name,
    // A rule that blocks ends the evaluation of its group, so the rules behind it would label nothing.
    ruleActionOverrides: rules.map((rule) => ({ name: rule, actionToUse: { count: {} } })),
  }
  return {
    name,
    priority: 0,
    // Rules that AWS adds later must not block either.
    overrideAction: { count: {} },
    statement: { managedRuleGroupStatement },
    visibilityConfig: seen(name),
  }
}

/** A rule that counts requests and inserts a header. Managed rule groups cannot insert headers, so they label first. */
function marks(
  name: (typeof marking_rules)[number],
  statement: Statement,
  header: CfnWebACL.CustomHTTPHeaderProperty,
): Rule {
  return {
    name,
    priority: 0,
    action: { count: { customRequestHandling: { insertHeaders: [header] } } },
    statement,
    visibilityConfig: seen(name),
  }
}

function hasLabel(labels: readonly string[]): Statement {
  return { orStatement: { statements: labels.map((key) => ({ labelMatchStatement: { scope: 'LABEL', key } })) } }
}

/**
 * Matches a request whose headers exceed the 8 KB or the 200 headers that AWS WAF inspects. The rate rules do not see
 * an API key in the rest.
 */
const hasOversizeHeaders: Statement = {
  sizeConstraintStatement: {
    fieldToMatch: { headers: { matchPattern: { all: {} }, matchScope: 'ALL', oversizeHandling: 'MATCH' } },
    comparisonOperator: 'GT',
    size: 8192,
    textTransformations: [{ priority: 0, type: 'NONE' }],
  },
}

/** Publishes the count of a rule, and stores no samples of requests, because they hold keys. */
function seen(metricName: string): CfnWebACL.VisibilityConfigProperty {
  return { metricName, cloudWatchMetricsEnabled: true, sampledRequestsEnabled: false }
}
