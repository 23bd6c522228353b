import { describe, expect, test } from 'vitest'
import { knownStage } from '#infra/stage.ts'
import { queueNames } from '#shared/background.ts'
import { stageOf } from '#test/fixtures/stages.ts'

/** How many functions an account may run at the same time unless it asks for more. */
const FUNCTIONS_AT_ONCE = 1000

describe('stageOf', () => {
  test.each(['dev', 'staging', 'prod'])('knows %s', (name) => {
    expect(stageOf(name).name).toBe(name)
  })

  test.each(['dev', 'staging', 'prod'])(
    'in %s what works in the background leaves the API half of an account',
    (name) => {
      const { deliveriesAtOnce, workersPerQueue } = stageOf(name)
      const others = queueNames.length - 1
      expect(deliveriesAtOnce + others * workersPerQueue).toBeLessThanOrEqual(FUNCTIONS_AT_ONCE / 2)
      for (const atOnce of [deliveriesAtOnce, workersPerQueue]) expect(atOnce).toBeGreaterThanOrEqual(2)
    },
  )

  test('a misspelt stage deploys nothing and is told which there are', () => {
    expect(() => knownStage('production')).toThrow('There is no stage "production". Choose one of: dev, staging, prod.')
  })

  test('production never charges live payments at the sandbox', () => {
    expect(stageOf('prod').liveAcquirer).toBe('none')
  })

  test.each(['staging', 'prod'])('%s keeps its data from being deleted', (name) => {
    expect(stageOf(name).deletionProtection).toBe(true)
  })

  test.each(['dev', 'staging', 'prod'])('%s forgets what was erased within a week', (name) => {
    expect(stageOf(name).recoveryDays).toBeGreaterThanOrEqual(1)
    expect(stageOf(name).recoveryDays).toBeLessThanOrEqual(7)
  })

  test.each(['staging', 'prod'])('%s lets each key make as many requests a minute as it is promised', (name) => {
    const { firewall, requestsPerSecond } = stageOf(name)
    expect(firewall).toMatchObject({ live_key: 6000, test_key: 1500 })
    expect(firewall!.address).toBeGreaterThan(firewall!.live_key)
    expect(requestsPerSecond * 60).toBeGreaterThan(firewall!.live_key)
  })
})
