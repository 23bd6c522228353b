import { describe, expect, test } from 'vitest'
import { release, rollBack } from '#infra/release/release.ts'
import { Killed, ReleaseModel, type Version } from './release-model.ts'

const old: Version = { name: 'old', routes: ['GET /payments', 'GET /old'] }
const good: Version = { name: 'good', routes: ['GET /payments', 'GET /old'] }
const retiring: Version = { name: 'retiring', routes: ['GET /payments'] }
const bad: readonly (readonly [what: string, version: Version, alarm: string])[] = [
  ['requests fail', { ...good, name: 'bad', requestsFail: true }, 'candidate-server-errors'],
  ['workers fail', { ...good, name: 'bad', workFails: true }, 'b-failed-work'],
  ['charges stay unresolved', { ...good, name: 'bad', unresolved: true }, 'b-unresolved'],
]

const failed = (model: ReleaseModel) => model.responses.filter(({ status }) => status >= 500)

/** Every request got its response, and every message is done or still waits for a worker. */
function expectNothingLost(model: ReleaseModel): void {
  expect(model.done + model.queued).toBe(model.sent)
  expect(model.responses.filter(({ version }) => version === 'nothing')).toEqual([])
}

describe('a release', () => {
  test('of a good version serves everything after two bakes of ten minutes, without one failed request', async () => {
    const model = new ReleaseModel(old, good)
    expect(await release(model)).toBe('released')
    expect(model.live).toBe(good)
    expect(model.shares).toEqual({ a: 'off', b: 'full' })
    // Five minutes of deployment come before.
    expect(model.minutes).toBeGreaterThanOrEqual(5 + 20)
    expect(failed(model)).toEqual([])
    expect(model.queued).toBe(0)
    const byGood = model.responses.filter(({ at, version }) => version === 'good' && at <= 15 * 60_000)
    const all = model.responses.filter(({ at }) => at > 5 * 60_000 && at <= 15 * 60_000)
    expect(byGood.length / all.length).toBeCloseTo(0.1, 1)
  })

  test.each(bad)('of a version in which %s is taken back as a whole, workers included', async (_, version, alarm) => {
    const model = new ReleaseModel(old, version)
    expect(await release(model)).toBe('rolled back')
    expect(model.said.join('\n')).toContain(`payment-service-prod-${alarm}`)
    expect(model.live).toBe(old)
    expect(model.shares).toEqual({ a: 'full', b: 'off' })
    const failed_before = failed(model).length
    expect(failed_before).toBeLessThan(model.responses.length / 100)
    model.letPass(10)
    expect(failed(model)).toHaveLength(failed_before)
    expect(model.responses.filter(({ at, version }) => at > model.now() - 600_000 && version !== 'old')).toEqual([])
    expectNothingLost(model)
    expect(model.queued).toBe(0)
  })

  test('is taken back if AWS does not answer about the alarms', async () => {
    const model = new ReleaseModel(old, good)
    const { alarms } = ReleaseModel.prototype
    model.alarms = async (names) => {
      if (model.now() > 10 * 60_000) throw new Error('Rate exceeded')
      return alarms.call(model, names)
    }
    expect(await release(model)).toBe('rolled back')
    expect(model.said).toContain('A call of AWS failed: Rate exceeded')
    expect(model.live).toBe(old)
  })

  test('waits for the alarms of the one before to end, and then takes the slot of that one', async () => {
    const model = new ReleaseModel(old, bad[0]![1])
    await release(model)
    model.setNext(good)
    expect(await release(model)).toBe('released')
    expect(model.live).toBe(good)
  })

  test('goes to the other slot each time', async () => {
    const model = new ReleaseModel(old, good)
    await release(model)
    model.setNext({ ...good, name: 'better' })
    expect(await release(model)).toBe('released')
    expect(model.live.name).toBe('better')
    expect(model.shares).toEqual({ a: 'full', b: 'off' })
    expect(failed(model)).toEqual([])
  })

  test('serves at once if nothing serves yet', async () => {
    const model = new ReleaseModel(undefined, good)
    expect(await release(model)).toBe('released')
    expect(model.live).toBe(good)
    expect(model.shares).toEqual({ a: 'full', b: 'off' })
  })
})

describe('a retired route', () => {
  test('gets 200 or 404 during the release, and 404 after it, and never 5xx', async () => {
    const model = new ReleaseModel(old, retiring)
    expect(await release(model)).toBe('released')
    model.letPass(5)
    const statuses = (since: number) => [
      ...new Set(
        model.responses.filter(({ at, route }) => at > since && route === 'GET /old').map(({ status }) => status),
      ),
    ]
    expect(statuses(0).sort()).toEqual([200, 404])
    expect(statuses(model.now() - 5 * 60_000)).toEqual([404])
  })
})

describe('a release that is killed', () => {
  /** The number of calls that a whole release makes. */
  async function callsOf(version: Version): Promise<number> {
    for (let calls = 1; ; calls++) {
      const model = new ReleaseModel(old, version)
      model.killAt(calls)
      if (
        await release(model).then(
          () => true,
          () => false,
        )
      )
        return calls
    }
  }

  /** Kills a release at a call, lets 30 minutes pass, and runs the command until it has nothing more to repair. */
  async function killed(version: Version, call: number) {
    const model = new ReleaseModel(old, version)
    model.killAt(call)
    await release(model).catch((error) => expect(error).toBeInstanceOf(Killed))
    model.revive()
    model.letPass(3)
    const first = await release(model)
    const outcome = first === 'settled' ? await release(model) : first
    model.letPass(10)
    return { model, outcome }
  }

  test('at any call, is continued: the good version serves, and no request fails', async () => {
    const calls = await callsOf(good)
    expect(calls).toBeGreaterThan(80)
    for (let call = 0; call < calls; call++) {
      const { model, outcome } = await killed(good, call)
      expect(outcome, `killed at call ${call}`).toBe('released')
      expect(model.live, `killed at call ${call}`).toBe(good)
      expect(Object.values(model.shares).sort(), `killed at call ${call}`).toEqual(['full', 'off'])
      expect(failed(model), `killed at call ${call}`).toEqual([])
      expectNothingLost(model)
    }
  })

  test.each(bad)('at any call, is taken back if %s', async (_, version) => {
    for (let call = 0; call < 40; call++) {
      const { model, outcome } = await killed(version, call)
      expect(outcome, `killed at call ${call}`).toBe('rolled back')
      expect(model.live, `killed at call ${call}`).toBe(old)
      expect(model.shares, `killed at call ${call}`).toEqual({ a: 'full', b: 'off' })
      expectNothingLost(model)
      expect(model.queued).toBe(0)
    }
  })
})

describe('release --roll-back', () => {
  test('takes back a release that is shifting', async () => {
    const model = new ReleaseModel(old, good)
    model.killAt(30)
    await expect(release(model)).rejects.toBeInstanceOf(Killed)
    model.revive()
    expect(await rollBack(model)).toBe('rolled back')
    expect(model.live).toBe(old)
    expect(model.shares).toEqual({ a: 'full', b: 'off' })
  })

  test('takes back the last release while the slot before it is unchanged', async () => {
    const model = new ReleaseModel(old, good)
    await release(model)
    expect(await rollBack(model)).toBe('rolled back')
    expect(model.live).toBe(old)
    expect(model.shares).toEqual({ a: 'full', b: 'off' })
    model.letPass(1)
    expect(failed(model)).toEqual([])
  })

  test('refuses to serve a release that was taken back before', async () => {
    const model = new ReleaseModel(old, bad[0]![1])
    await release(model)
    await expect(rollBack(model)).rejects.toThrow('Release the earlier version instead.')
    expect(model.live).toBe(old)
  })
})
