import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type LocalPlatform, openLocalPlatform } from '#infra/local/local-platform.ts'
import { localService } from '#infra/local/server.ts'
import type { Use } from '#infra/local/units.ts'
import { storeDetails } from '#shared/customers/store-payment-details.ts'
import { FRESH } from '#shared/domain/operation-progress.ts'
import type { Subscription } from '#shared/domain/subscription.ts'
import { timestamp } from '#shared/domain/timestamp.ts'
import { changed } from '#shared/store/change.ts'
import { customers } from '#shared/store/customers.ts'
import { newMerchants } from '#shared/store/merchants.ts'
import { subscriptions } from '#shared/store/subscriptions.ts'
import { UnitOfWork } from '#shared/store/unit-of-work.ts'
import { createSubscription } from '#shared/subscriptions/create-subscription.ts'
import { cardDetails } from '#test/fixtures/records.ts'
import { heading, mark, note, table } from './report.ts'

const SIZES = [1_000, 5_000, 20_000]
const START = Date.parse('2030-01-02T03:00:00Z')
const MONTH_LATER = Date.parse('2030-02-02T03:00:00Z')
const GROWTH_AT_MOST = 1.2
const MEGABYTE = 1024 * 1024

/** Measures the captures of 1,000 to 20,000 subscriptions that fall due in the same minute. */
export async function capturesBench(): Promise<void> {
  heading('Subscriptions that fall due in the same minute')
  note(
    'One merchant on the local platform: sweep, queue, worker, sandbox acquirer, fan-out. Calls and units of the',
    'table are per subscription.',
  )
  const runs: Run[] = []
  for (const size of SIZES) runs.push(await captureAll(size))
  const [first] = runs
  table(
    ['due', 'captured', 'twice', 'seconds', 'calls', 'growth', 'RU', 'WU', 'growth', 'aim', 'memory, MB'],
    runs.map((run) => {
      const growth = run.write_units / first!.write_units
      const calls = run.calls / first!.calls
      return [
        run.size.toLocaleString('en'),
        run.captured.toLocaleString('en'),
        run.twice,
        run.seconds.toFixed(1),
        run.calls.toFixed(2),
        calls.toFixed(2),
        run.read_units.toFixed(1),
        run.write_units.toFixed(1),
        growth.toFixed(2),
        mark({ value: Math.max(growth, calls), at_most: GROWTH_AT_MOST }),
        Math.round(run.memory / MEGABYTE),
      ]
    }),
  )
  note(
    `Every subscription is captured once: ${mark({ value: runs.every(({ size, captured, twice }) => captured === size && twice === 0) ? 1 : 0, at_least: 1 })}`,
  )
}

interface Run {
  readonly size: number
  readonly captured: number
  readonly twice: number
  readonly seconds: number
  readonly calls: number
  readonly read_units: number
  readonly write_units: number
  readonly memory: number
}

async function captureAll(size: number): Promise<Run> {
  const data_dir = mkdtempSync(join(tmpdir(), 'captures-'))
  const used = { calls: 0, read_units: 0, write_units: 0 }
  const onUse = ({ read_units, write_units }: Use) => {
    used.calls += 1
    used.read_units += read_units
    used.write_units += write_units
  }
  const platform = openLocalPlatform({ data_dir, frozen_at: START, onUse })
  try {
    await subscribe(platform, size)
    const { workers } = localService(platform)
    await workers.advanceTo(MONTH_LATER - 120_000)
    Object.assign(used, { calls: 0, read_units: 0, write_units: 0 })
    const began_at = performance.now()
    let memory = 0
    const watching = setInterval(() => {
      memory = Math.max(memory, process.memoryUsage().rss)
    }, 50)
    await workers.advanceTo(MONTH_LATER + 60_000)
    clearInterval(watching)
    const seconds = (performance.now() - began_at) / 1000
    const per = (value: number) => value / size
    const costs = { calls: per(used.calls), read_units: per(used.read_units), write_units: per(used.write_units) }
    return { size, ...counted(platform), seconds, ...costs, memory }
  } finally {
    platform.table.close()
    rmSync(data_dir, { recursive: true })
  }
}

/** The service creates one subscription. The others are copies of it with ids of their own. */
async function subscribe(platform: LocalPlatform, size: number): Promise<void> {
  const { merchants, writes } = newMerchants(START)
  await platform.table.write(writes)
  const work = new UnitOfWork({ platform, merchant: merchants.test.id, mode: 'test' })
  const id = work.newId('customer')
  const { changes, source } = await storeDetails(work, id, cardDetails())
  const at = timestamp(START)
  const payer = {
    id,
    version: 0,
    email: 'taro@example.com',
    currency: null,
    source,
    metadata: {},
    created_at: at,
    updated_at: at,
  }
  await work.commit([changed(customers, payer), ...changes])
  const order = { customer: id, amount: 1_000, currency: 'JPY', period: 'monthly' as const, metadata: {} }
  const made = await createSubscription(work, { progress: FRESH }, order)
  await work.commit(made.changes)
  const alike = (): Subscription => ({ ...made.answer, id: work.newId('subscription'), version: 0 })
  for (let left = size - 1; left > 0; left -= 25)
    await work.commit(Array.from({ length: Math.min(left, 25) }, () => changed(subscriptions, alike())))
}

function counted({ table }: LocalPlatform): { captured: number; twice: number } {
  const intervals = table.items().flatMap(({ sk, status, occurrence }) => {
    const { subscription, interval } = Object(occurrence) as { subscription?: string; interval?: number }
    return sk === 'payment' && status === 'captured' && interval === 1 ? [subscription] : []
  })
  const all = [...intervals]
  return { captured: new Set(all).size, twice: all.length - new Set(all).size }
}
