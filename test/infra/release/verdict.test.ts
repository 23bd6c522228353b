import { describe, expect, test } from 'vitest'
import { concurrencyAt, shifts, shiftsFrom } from '#infra/release/shifts.ts'
import { type AlarmState, verdictOn } from '#infra/release/verdict.ts'

const minutes = (count: number) => ({ baked_ms: count * 60_000, bake_minutes: 10 })
const alarms = (...states: (AlarmState | undefined)[]) =>
  new Map(states.map((state, index) => [`alarm-${index}`, state] as const))

describe('verdictOn', () => {
  test.each([
    ['no alarm fires after the bake', alarms('ok', 'ok'), 10, 'good'],
    ['the bake has not ended', alarms('ok', 'ok'), 9.9, 'wait'],
    ['an alarm fires in the first minute', alarms('ok', 'alarm'), 0.5, 'bad'],
    ['an alarm fires after the bake', alarms('alarm', 'ok'), 10, 'bad'],
    ['an alarm does not exist', alarms('ok', undefined), 0, 'bad'],
    ['an alarm has no data after the bake', alarms('ok', 'unknown'), 10, 'wait'],
    ['an alarm has no data after twice the bake', alarms('ok', 'unknown'), 20, 'bad'],
  ] as const)('if %s', (_, states, baked, is) => {
    expect(verdictOn(states, minutes(baked)).is).toBe(is)
  })

  test('names the alarms', () => {
    expect(verdictOn(alarms('alarm', 'ok', 'alarm'), minutes(1))).toEqual({
      is: 'bad',
      because: 'These alarms fire: alarm-0, alarm-2.',
    })
  })
})

describe('the shifts', () => {
  test('bake for at least ten minutes each, begin with a tenth and end with everything', () => {
    for (const { bake_minutes } of shifts) expect(bake_minutes).toBeGreaterThanOrEqual(10)
    expect(shifts[0]).toMatchObject({ percent: 10, live: 'full', candidate: 'tenth' })
    expect(shifts.at(-1)).toMatchObject({ percent: 100, live: 'off', candidate: 'full' })
  })

  test('repeat the step that was interrupted', () => {
    expect(shiftsFrom(0)).toEqual(shifts)
    expect(shiftsFrom(100)).toEqual(shifts.slice(1))
  })

  test.each([
    [400, 40],
    [50, 5],
    [10, 2],
  ])('give a candidate of %i workers a tenth: %i', (full, tenth) => {
    expect(concurrencyAt('tenth', full)).toBe(tenth)
    expect(concurrencyAt('off', full)).toBe(full)
  })
})
