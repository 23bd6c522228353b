import { describe, expect, test } from 'vitest'
import { stageOf } from '#infra/stage.ts'

describe('stageOf', () => {
  test.each(['dev', 'staging', 'prod'])('knows %s', (name) => {
    expect(stageOf(name).name).toBe(name)
  })

  test('a misspelt stage deploys nothing and is told which there are', () => {
    expect(() => stageOf('production')).toThrow('There is no stage "production". Choose one of: dev, staging, prod.')
  })

  test('production never charges live payments at the sandbox', () => {
    expect(stageOf('prod').liveAcquirer).toBe('none')
  })
})
