import type { StageStacks } from '#test/fixtures/stage-stacks.ts'

/** The deployed properties that differ between stages. */
// biome-ignore format: a table
export const stage_cells = {
  'days that logs are kept':                  { dev: [7],           staging: [30],         prod: [365] },
  'days that the table can be restored':  { dev: [1],           staging: [7],          prod: [7] },
  'days that replaced files are kept':        { dev: [1],           staging: [7],          prod: [7] },
  'table protected from deletion':            { dev: [false],       staging: [true],       prod: [true] },
  'data after the stack is deleted':   { dev: ['Delete'],    staging: ['Retain'],   prod: ['Retain'] },
  'logs after the stack is deleted': { dev: ['Delete'],    staging: ['Retain'],   prod: ['Retain'] },
  'requests per second, and burst':           { dev: [50, 100],     staging: [500, 1000],  prod: [2000, 4000] },
  'requests per minute: live, test, address':   { dev: [],            staging: [6000, 1500, 12_000], prod: [6000, 1500, 12_000] },
  'concurrent workers: deliveries, others, clocks': { dev: [10, 2],    staging: [100, 10, 2], prod: [400, 49, 2] },
  'warm units: reads, writes, writes of the index': { dev: [],         staging: [12_000, 16_000, 4_000], prod: [16_000, 64_000, 16_000] },
  'acquirer of live payments':                { dev: ['sandbox'],   staging: ['sandbox'],  prod: ['none'] },
  'alarms and dashboards':                    { dev: [12, 1],       staging: [12, 1],      prod: [18, 1] },
}

/** The properties of a stage in its templates. */
export function cellsOf({
  data,
  functions,
  api,
  operations,
}: StageStacks): Record<keyof typeof stage_cells, unknown[]> {
  // biome-ignore lint/suspicious/noExplicitAny: properties have every shape
  const of = (template: typeof data, type: string): any[] => Object.values(template.findResources(`AWS::${type}`))
  const properties = (template: typeof data, type: string) => of(template, type).map(({ Properties }) => Properties)
  const [table] = properties(data, 'DynamoDB::Table')
  const [bucket] = properties(data, 'S3::Bucket')
  const [throttle] = properties(api, 'ApiGateway::Stage')[0].MethodSettings
  const limits = properties(api, 'WAFv2::WebACL').flatMap(({ Rules }) => Rules.slice(0, 3))
  const logs = [functions, api].flatMap((template) => of(template, 'Logs::LogGroup'))
  const mappings = properties(functions, 'Lambda::EventSourceMapping').filter(({ ScalingConfig }) => ScalingConfig)
  const kept = ['DynamoDB::Table', 'S3::Bucket', 'KMS::Key'].flatMap((type) => of(data, type))
  const unique = (values: unknown[]) => [...new Set(values)]
  const policiesOf = (resources: typeof logs) =>
    unique(resources.flatMap(({ DeletionPolicy, UpdateReplacePolicy }) => [DeletionPolicy, UpdateReplacePolicy]))
  const count = (template: typeof data, type: string) => of(template, type).length
  return {
    'days that logs are kept': unique(logs.map(({ Properties }) => Properties.RetentionInDays)),
    'days that the table can be restored': [table.PointInTimeRecoverySpecification.RecoveryPeriodInDays],
    'days that replaced files are kept': bucket.LifecycleConfiguration.Rules.map(
      ({ NoncurrentVersionExpiration }: Record<string, Record<string, number>>) =>
        NoncurrentVersionExpiration!.NoncurrentDays,
    ),
    'table protected from deletion': [table.DeletionProtectionEnabled],
    'data after the stack is deleted': policiesOf(kept),
    'logs after the stack is deleted': policiesOf(logs),
    'requests per second, and burst': [throttle.ThrottlingRateLimit, throttle.ThrottlingBurstLimit],
    'requests per minute: live, test, address': limits.map(({ Statement }) => Statement.RateBasedStatement.Limit),
    'concurrent workers: deliveries, others, clocks': unique(
      mappings.map(({ ScalingConfig }) => ScalingConfig.MaximumConcurrency),
    ),
    'warm units: reads, writes, writes of the index': [
      table.WarmThroughput?.ReadUnitsPerSecond,
      table.WarmThroughput?.WriteUnitsPerSecond,
      table.GlobalSecondaryIndexes[0].WarmThroughput?.WriteUnitsPerSecond,
    ].filter((units) => units !== undefined),
    'acquirer of live payments': unique(
      properties(functions, 'Lambda::Function').map(({ Environment }) => Environment.Variables.LIVE_ACQUIRER),
    ),
    'alarms and dashboards': [count(operations, 'CloudWatch::Alarm'), count(operations, 'CloudWatch::Dashboard')],
  }
}
