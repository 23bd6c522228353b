import { describe, expect, test } from 'vitest'
import { SqliteTable } from '#infra/local/sqlite-table.ts'
import { nextSweep } from '#infra/local/sweep-times.ts'
import { VirtualClock } from '#infra/local/virtual-clock.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import type { Message, Platform } from '#shared/platform/ports.ts'
import { sweep } from '#shared/scheduling/sweep.ts'
import { dueShard } from '#shared/store/keys.ts'
import { START } from '#test/fixtures/api.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** Sweeps at the times of `nextSweep` over records that stay due. `dues` are in seconds after the start. */
async function swept(dues: Readonly<Record<string, number>>, until: number) {
  const clock = new VirtualClock({ frozen_at: START })
  const table = new SqliteTable({ file: ':memory:', clock })
  for (const [pk, seconds] of Object.entries(dues)) {
    const due = { due_at: timestamp(START + seconds * 1000), due_shard: dueShard('attempt', pk) }
    await table.write([{ put: { pk, sk: 'x', version: 1, ...due } }])
  }
  const sent: { pk: string; arrives: number }[] = []
  const send = async (messages: readonly { message: Message; delay_seconds?: number }[]) => {
    for (const { message, delay_seconds = 0 } of messages)
      sent.push({ pk: message.pk, arrives: (clock.now() - START) / 1000 + delay_seconds })
  }
  const platform = { table, clock, queues: { chores: { send } } } as unknown as Platform
  const idle: number[] = []
  let sweeps = 0
  let swept_at: number | undefined
  for (;;) {
    const next = nextSweep(table, swept_at)
    if (next === undefined || next > START + until) break
    clock.turnTo(next)
    const before = sent.length
    await sweep(platform, 'attempt')
    sweeps += 1
    swept_at = clock.now()
    if (sent.length === before) idle.push(swept_at)
  }
  table.close()
  return { idle, sweeps, of: (pk: string) => sent.filter((one) => one.pk === pk).map(({ arrives }) => arrives) }
}

describe('nextSweep', () => {
  test('returns undefined if no item has a due time', async () => {
    const table = new SqliteTable({ file: ':memory:', clock: new VirtualClock() })
    expect([nextSweep(table, undefined), nextSweep(table, START)]).toEqual([undefined, undefined])
    table.close()
  })

  test('sweeps early enough for each message to arrive when its record falls due, despite an overdue record', async () => {
    const { of } = await swept(
      { overdue: -90, now: 0, soon: 30, edge: 55, next: 56, later: 57, far: 192, further: 600 },
      HOUR,
    )
    expect([of('overdue')[0], of('now')[0], of('soon')[0], of('edge')[0]]).toEqual([0, 0, 30, 55])
    expect([of('next')[0], of('later')[0], of('far')[0], of('further')[0]]).toEqual([56, 57, 192, 600])
  })

  test('repeats the message of a due record after 5 and 15 minutes, 1 and 4 hours, and then each day', async () => {
    const dues = { one: 0, other: 7, third: 100, evening: 50_000 }
    const { of, idle } = await swept(dues, 4 * DAY)
    for (const [name, due] of Object.entries(dues)) {
      expect(of(name).slice(0, 5), name).toEqual([0, 300, 900, 3_600, 14_400].map((wait) => due + wait))
      const days = of(name).slice(5)
      expect(days.length, name).toBeGreaterThanOrEqual(3)
      expect(days[0]! - due, name).toBeLessThanOrEqual((2 * DAY) / 1000)
    }
    expect(idle).toEqual([])
  })

  test('sweeps at most once a minute for records that are not due yet', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, n) => [`n${n}`, n * 0.5]))
    const { of, idle, sweeps } = await swept(many, 299_000)
    expect([idle, sweeps]).toEqual([[], 6])
    for (const [name, due] of Object.entries(many)) expect(of(name), name).toEqual([Math.floor(due)])
  })
})
