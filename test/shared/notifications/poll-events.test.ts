import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { OutcomeUnknown } from '#shared/acquirer/acquirer.ts'
import type { EventReference, Reports } from '#shared/acquirer/reports.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { pollEvents, startPolling } from '#shared/notifications/poll-events.ts'
import { storeNotification } from '#shared/notifications/store-notification.ts'
import type { Message } from '#shared/platform/ports.ts'
import { workOn } from '#shared/scheduling/worker-batch.ts'
import { eventPollKey, notificationKey } from '#shared/store/keys.ts'
import { serviceWork } from '#shared/store/service-work.ts'
import { type Api, openApi, START } from '#test/fixtures/api.ts'

const key = eventPollKey('stripe')

let api: Api
beforeAll(async () => {
  api = await openApi()
})
afterAll(() => api.close())
beforeEach(async () => {
  await api.platform.table.write([{ delete: key }])
  await startPolling(api.platform, 'stripe')
})

const rowOf = async () => (await api.platform.table.get([key]))[0]!

const event = (id: string, seconds = 0): EventReference => ({
  id,
  type: 'payment_intent.succeeded',
  object: `pi_${id}`,
  account: null,
  is_live: false,
  created_at: timestamp(START + seconds * 1000),
})

const storedOf = async (ids: readonly string[]) =>
  (await api.platform.table.get(ids.map((id) => notificationKey('stripe', id)))).map((row) => row?.object)

/** Reports that list these pages, and the arguments of each call. */
function listing(...pages: readonly (readonly EventReference[])[]) {
  const asked: unknown[] = []
  const reports: Reports = {
    report: async () => null,
    async since(from, page, within_ms) {
      asked.push([from, page, within_ms])
      const index = Number(page ?? 0)
      return { events: pages[index] ?? [], next: index + 1 < pages.length ? String(index + 1) : null }
    },
  }
  return { asked, reports }
}

async function poll(reports: Reports, due_at?: string) {
  const message: Message = { kind: 'provider_events', ...key, due_at: due_at ?? String((await rowOf()).due_at) }
  await pollEvents(await workOn(api.platform, message), message, reports)
}

describe('startPolling', () => {
  test('polls from now on, and does not move the cursor of a list that is already polled', async () => {
    const row = await rowOf()
    expect(row).toMatchObject({ provider: 'stripe', cursor: timestamp(START), page: null, due_at: timestamp(START) })
    await startPolling(api.platform, 'stripe')
    expect(await rowOf()).toEqual(row)
  })
})

describe('pollEvents', () => {
  test('stores the events that never arrived, and is due again in ten minutes', async () => {
    await storeNotification(serviceWork(api.platform), 'stripe', { ...event('evt_known'), object: 'pi_before' })
    const { asked, reports } = listing([event('evt_lost', 60), event('evt_known', 30)])
    await poll(reports)
    expect(asked).toEqual([[timestamp(START - 300_000), null, 10_000]])
    expect(await storedOf(['evt_lost', 'evt_known'])).toEqual(['pi_evt_lost', 'pi_before'])
    expect(await rowOf()).toMatchObject({ cursor: timestamp(START + 60_000), due_at: timestamp(START + 600_000) })
  })

  test('reads from five minutes before the newest event, and keeps the cursor while there is no event', async () => {
    await poll(listing([event('evt_a', 400)]).reports)
    const { asked, reports } = listing([])
    await poll(reports)
    expect(asked).toEqual([[timestamp(START + 100_000), null, 10_000]])
    expect(await rowOf()).toMatchObject({ cursor: timestamp(START + 400_000) })
  })

  test('reads all pages before it moves the cursor to the newest event', async () => {
    const { asked, reports } = listing([event('evt_p3', 30)], [event('evt_p2', 20)], [event('evt_p1', 10)])
    await poll(reports)
    expect(asked).toHaveLength(3)
    expect(await storedOf(['evt_p1', 'evt_p2', 'evt_p3'])).not.toContain(undefined)
    expect(await rowOf()).toMatchObject({ cursor: timestamp(START + 30_000), page: null, newest: null })
  })

  test('keeps the cursor and its page while the provider does not respond, and continues there', async () => {
    const { reports } = listing([event('evt_q2', 20)], [event('evt_q1', 10)])
    const failing: Reports = {
      ...reports,
      async since(from, page, within_ms) {
        if (page !== null) throw new OutcomeUnknown()
        return reports.since(from, page, within_ms)
      },
    }
    await poll(failing)
    expect(await rowOf()).toMatchObject({
      cursor: timestamp(START),
      page: '1',
      newest: timestamp(START + 20_000),
      due_at: timestamp(START + 600_000),
    })
    await poll(reports)
    expect(await storedOf(['evt_q1', 'evt_q2'])).not.toContain(undefined)
    expect(await rowOf()).toMatchObject({ cursor: timestamp(START + 20_000), page: null })
  })

  test('continues a long list in another run at once', async () => {
    const pages = Array.from({ length: 5 }, (_, n) => [event(`evt_r${n}`, 50 - n)])
    const { reports } = listing(...pages)
    const before = api.platform.clock.now()
    const slow: Reports = {
      ...reports,
      async since(...asked) {
        api.platform.clock.turnTo(api.platform.clock.now() + 10_000)
        return reports.since(...asked)
      },
    }
    await poll(slow)
    expect(await rowOf()).toMatchObject({ page: '2', due_at: timestamp(before + 20_000) })
    await poll(slow)
    await poll(slow)
    expect(await storedOf(pages.map(([one]) => one!.id))).not.toContain(undefined)
    expect(await rowOf()).toMatchObject({ page: null, cursor: timestamp(START + 50_000) })
  })

  test('drops a message with an outdated due time', async () => {
    const { asked, reports } = listing([])
    await poll(reports, '2029-01-01T00:00:00Z')
    expect(asked).toEqual([])
  })
})
