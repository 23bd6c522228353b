import { describe, expect, test } from 'vitest'
import { knownStage, workersAtOnce } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'
import { stageOf } from '#test/fixtures/stages.ts'

/** The default limit of concurrent functions in an AWS account. */
const CONCURRENT_FUNCTIONS = 1000

describe('stageOf', () => {
  test.each(['dev', 'staging', 'prod'])('returns the stage %s', (name) => {
    expect(stageOf(name).name).toBe(name)
  })

  test.each(['dev', 'staging', 'prod'])(
    'limits the background functions of %s to half of the concurrent functions of an account',
    (name) => {
      const limits = queueNames.map((queue) => workersAtOnce(stageOf(name), queue))
      expect(limits.reduce((sum, limit) => sum + limit)).toBeLessThanOrEqual(CONCURRENT_FUNCTIONS / 2)
      for (const limit of limits) expect(limit).toBeGreaterThanOrEqual(2)
    },
  )

  test('does not send live payments of prod to the sandbox acquirer', () => {
    expect(stageOf('prod').liveAcquirer).toBe('none')
  })

  test.each(['staging', 'prod'])('protects the data of %s from deletion', (name) => {
    expect(stageOf(name).deletionProtection).toBe(true)
  })

  test.each(['dev', 'staging', 'prod'])('keeps copies of erased data of %s for one to seven days', (name) => {
    expect(stageOf(name).recoveryDays).toBeGreaterThanOrEqual(1)
    expect(stageOf(name).recoveryDays).toBeLessThanOrEqual(7)
  })

  test.each(['staging', 'prod'])('allows each key in %s the promised number of requests per minute', (name) => {
    const { firewall, requestsPerSecond } = stageOf(name)
    expect(firewall).toMatchObject({ live_key: 6000, test_key: 1500 })
    expect(firewall!.address).toBeGreaterThan(firewall!.live_key)
    expect(requestsPerSecond * 60).toBeGreaterThan(firewall!.live_key)
  })
})

describe('knownStage', () => {
  test('refuses an unknown stage and lists the known ones', () => {
    expect(() => knownStage('production')).toThrow('There is no stage "production". Choose one of: dev, staging, prod.')
  })
})
