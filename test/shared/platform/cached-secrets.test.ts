import { describe, expect, test } from 'vitest'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { cachedSecrets } from '#shared/platform/cached-secrets.ts'

function rig() {
  const clock = new VirtualClock({ frozen_at: 1_000_000 })
  const state = { fetches: 0, is_down: false }
  const secrets = cachedSecrets(async () => {
    state.fetches += 1
    if (state.is_down) throw new Error('down')
    return { api_key: `sk_test_${state.fetches}`, notification_secrets: [] }
  }, clock)
  return { secrets, state, pass: (seconds: number) => clock.turnTo(clock.now() + seconds * 1000) }
}

describe('cachedSecrets', () => {
  test('fetches once for concurrent callers and for five minutes', async () => {
    const { secrets, state, pass } = rig()
    await Promise.all([secrets.acquirer(), secrets.acquirer()])
    pass(299)
    expect((await secrets.acquirer()).api_key).toBe('sk_test_1')
    pass(1)
    expect((await secrets.acquirer()).api_key).toBe('sk_test_2')
    expect(state.fetches).toBe(2)
  })

  test('fetches again on request, and other callers then get the new credentials', async () => {
    const { secrets } = rig()
    await secrets.acquirer()
    expect((await secrets.refetch()).api_key).toBe('sk_test_2')
    expect((await secrets.acquirer()).api_key).toBe('sk_test_2')
  })

  test('fetches at most twice a minute on request', async () => {
    const { secrets, state, pass } = rig()
    for (let n = 0; n < 10; n++) await secrets.refetch()
    expect(state.fetches).toBe(2)
    pass(59)
    await secrets.refetch()
    expect(state.fetches).toBe(2)
    pass(1)
    expect((await secrets.refetch()).api_key).toBe('sk_test_3')
  })

  test('does not keep a failed fetch', async () => {
    const { secrets, state } = rig()
    state.is_down = true
    await expect(secrets.acquirer()).rejects.toThrow('down')
    state.is_down = false
    expect((await secrets.acquirer()).api_key).toBe('sk_test_2')
  })
})
