import { describe, expect, test } from 'vitest'
import { operate } from '#infra/operate/operate.ts'
import { mustRequest, quotaLines, quotasFor } from '#infra/quotas.ts'
import { NEW_TABLE, stageNames, workersAtOnce } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'
import { stageOf } from '#test/fixtures/stages.ts'
import { textOf } from '#test/house/source-files.ts'

const requested = (stage: string) =>
  quotasFor(stageOf(stage))
    .filter(mustRequest)
    .map(({ name }) => name)

const needOf = (stage: string, code: string) => quotasFor(stageOf(stage)).find((quota) => quota.code === code)!.need

describe('the quotas of a stage', () => {
  test('suffice in a new account for dev and staging', () => {
    expect(requested('dev')).toEqual([])
    expect(requested('staging')).toEqual([])
  })

  test('must be raised for prod where its limits exceed those of a new account', () => {
    expect(requested('prod')).toEqual([
      'Concurrent executions',
      'Table-level write throughput limit',
      'Cryptographic operations (symmetric) request rate',
    ])
  })

  test.each(stageNames)('leave functions to the API of %s while all workers are busy', (stage) => {
    const settings = stageOf(stage)
    const workers = queueNames.reduce((sum, queue) => sum + workersAtOnce(settings, queue), 0)
    const left = needOf(stage, 'L-B99A9384') - workers
    expect(left).toBeGreaterThan(settings.requestsPerSecond * 0.24 * 2)
  })

  test.each(stageNames)('cover the warm throughput of %s, which is no less than that of a new table', (stage) => {
    const { warmThroughput: warm } = stageOf(stage)
    if (!warm) return
    expect(warm.readUnits).toBeGreaterThanOrEqual(NEW_TABLE.readUnits)
    expect(warm.writeUnits).toBeGreaterThan(NEW_TABLE.writeUnits)
    expect(warm.indexWriteUnits).toBeGreaterThanOrEqual(NEW_TABLE.indexWriteUnits)
    expect(needOf(stage, 'L-CF0CBE56')).toBeGreaterThanOrEqual(warm.readUnits)
    expect(needOf(stage, 'L-AB614373')).toBeGreaterThanOrEqual(warm.writeUnits)
  })
})

describe('operate quotas', () => {
  test('prints what infra/README.md shows for prod, without an AWS account', async () => {
    const out: string[] = []
    const code = await operate(['quotas', '--stage', 'prod'], { out: (line) => out.push(line), err: () => {}, env: {} })
    expect(code).toBe(0)
    expect(out).toEqual(quotaLines(quotasFor(stageOf('prod'))))
    expect(textOf('infra/README.md')).toContain(`\`\`\`text\n${out.join('\n')}\n\`\`\``)
  })

  test('requires a stage', async () => {
    const err: string[] = []
    expect(await operate(['quotas', '--local'], { out: () => {}, err: (line) => err.push(line), env: {} })).toBe(2)
    expect(err[0]).toBe('The stage is missing: --stage <stage>.')
  })
})
