/** A price in AWS's public list, in US dollars, without free tiers and volume discounts: `dollars` for `per` units. */
export interface Price {
  readonly service: string
  readonly dollars: number
  readonly per: number
  readonly unit: string
  /** The page with the price. */
  readonly source: string
  /** No source was found when the prices were looked up. The price is from memory. */
  readonly unconfirmed?: true
}

/** The region of the prices and the date when they were looked up. Other regions cost up to a quarter more. */
export const REGION = 'us-east-1'
export const LOOKED_UP_ON = '2026-11-21'

const MILLION = 1_000_000

// biome-ignore format: a table
export const prices = {
  gateway_request:  { service: 'API Gateway', dollars: 3.5,          per: MILLION,   unit: 'requests of a REST API',    source: 'https://docs.aws.amazon.com/whitepapers/latest/best-practices-api-gateway-private-apis-integration/cost-optimization.html' },
  invocation:       { service: 'Lambda',      dollars: 0.2,          per: MILLION,   unit: 'invocations',               source: 'https://git.mcrn.ar/mariano/lambda_local_runner/src/commit/957e45b8adae23ce50b966346229585b5df18b4d/docs/lambdas-md/lambda-13-cost.md' },
  gigabyte_second:  { service: 'Lambda',      dollars: 0.0000133334, per: 1,         unit: 'GB-seconds, arm64',         source: 'https://cloudchipr.com/blog/aws-lambda-pricing' },
  read_unit:        { service: 'DynamoDB',    dollars: 0.125,        per: MILLION,   unit: 'read units, on demand',     source: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing' },
  write_unit:       { service: 'DynamoDB',    dollars: 0.625,        per: MILLION,   unit: 'write units, on demand',    source: 'https://airbyte.com/data-engineering-resources/dynamodb-pricing' },
  table_gigabyte:   { service: 'DynamoDB',    dollars: 0.25,         per: 1,         unit: 'GB-months',                 source: 'https://aws.amazon.com/dynamodb/pricing/' },
  backup_gigabyte:  { service: 'DynamoDB',    dollars: 0.2,          per: 1,         unit: 'GB-months of point-in-time recovery', source: 'https://aws.amazon.com/dynamodb/pricing/', unconfirmed: true },
  vault_call:       { service: 'KMS',         dollars: 0.03,         per: 10_000,    unit: 'requests',                  source: 'https://www.wring.co/blog/aws-kms-pricing-guide' },
  key:              { service: 'KMS',         dollars: 1,            per: 1,         unit: 'keys a month',              source: 'https://aws.amazon.com/kms/pricing/' },
  queue_call:       { service: 'SQS',         dollars: 0.4,          per: MILLION,   unit: 'requests',                  source: 'https://cloudburn.io/blog/amazon-sqs-pricing' },
  fair_call:        { service: 'SQS',         dollars: 0.1,          per: MILLION,   unit: 'requests of fair queues (surcharge)', source: 'https://cloudburn.io/blog/amazon-sqs-pricing' },
  bucket_put:       { service: 'S3',          dollars: 0.005,        per: 1_000,     unit: 'PUT requests',              source: 'https://devnotes.tech/understanding-aws-s3-pricing-a-complete-cost-breakdown-with-examples' },
  log_gigabyte:     { service: 'CloudWatch',  dollars: 0.5,          per: 1,         unit: 'GB of logs taken in',       source: 'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards/' },
  metric:           { service: 'CloudWatch',  dollars: 0.3,          per: 1,         unit: 'metrics of our own a month', source: 'https://signoz.io/guides/cloudwatch-pricing' },
  alarm_metric:     { service: 'CloudWatch',  dollars: 0.1,          per: 1,         unit: 'metrics of alarms a month', source: 'https://002-workshop-application-performance-monitoring.huyanh.click/5-optimization' },
  dashboard:        { service: 'CloudWatch',  dollars: 3,            per: 1,         unit: 'dashboards a month',        source: 'https://www.factualminds.com/blog/amazon-cloudwatch-pricing-metrics-logs-alarms-dashboards/' },
  trace:            { service: 'X-Ray',       dollars: 5,            per: MILLION,   unit: 'traces recorded',           source: 'https://aws.amazon.com/cn/xray/pricing/' },
  sent_gigabyte:    { service: 'Data out',    dollars: 0.09,         per: 1,         unit: 'GB out to the internet',    source: 'https://devnotes.tech/understanding-aws-s3-pricing-a-complete-cost-breakdown-with-examples' },
  firewall_request: { service: 'WAF',         dollars: 0.6,          per: MILLION,   unit: 'requests',                  source: 'https://c3x.dev/blog/aws-waf-cost-explained/' },
  firewall:         { service: 'WAF',         dollars: 5,            per: 1,         unit: 'web ACLs a month',          source: 'https://c3x.dev/blog/aws-waf-cost-explained/' },
  firewall_rule:    { service: 'WAF',         dollars: 1,            per: 1,         unit: 'rules a month',             source: 'https://c3x.dev/blog/aws-waf-cost-explained/' },
  nat_hour:         { service: 'VPC',         dollars: 0.045,        per: 1,         unit: 'hours of a NAT gateway',    source: 'https://cloudburn.io/blog/aws-nat-gateway-pricing' },
  address_hour:     { service: 'VPC',         dollars: 0.005,        per: 1,         unit: 'hours of a public address', source: 'https://cloudburn.io/blog/aws-nat-gateway-pricing' },
} as const satisfies Record<string, Price>

/** The units that AWS charges for. */
export type Priced = keyof typeof prices

/** The cost of an amount of a unit in US dollars. */
export function dollarsFor(priced: Priced, amount: number): number {
  const { dollars, per } = prices[priced]
  return (amount * dollars) / per
}
