import type { Operation } from '#test/partitions/partition.ts'
import type { Partitions } from '#test/partitions/partitions.ts'
import { published } from '#test/partitions/published-limits.ts'
import { ModelledService, partitionsFor } from './modelled-service.ts'
import { neededUnits, type Template, templatesOf } from './replay-templates.ts'
import { quantile } from './report.ts'
import { workSamples } from './work-samples.ts'

const SECOND = 1_000
const MINUTE = 60 * SECOND

/** When a load is measured: from a minute after its beginning, for ten minutes. It then has a minute to end. */
const BEGINS_MS = MINUTE
const MEASURED_MS = 10 * MINUTE
const ENDS_MS = BEGINS_MS + MEASURED_MS
const ENDING_MS = MINUTE

/** The aim for each partition, as a part of its limit. */
export const UTILISATION_AT_MOST = 0.6

const COLLECTIONS_SHOWN = 6

export interface SteadyLoad {
  readonly payments_per_second: number
  readonly webhooks: number
}

export interface SteadyFigures {
  readonly load: SteadyLoad
  readonly partitions: number
  readonly write_units_per_second: number
  /** The highest utilisation of a partition of the table by writes and by reads, and of a partition of the index. */
  readonly write: number
  readonly read: number
  readonly index: number
  /** The number of partitions above the aim. */
  readonly hot: number
  readonly counts: Counts
  /** In milliseconds. */
  readonly first_delivery: { readonly p50: number; readonly p99: number }
  readonly collections: readonly CollectionLoad[]
}

/** The write units of an item collection per second: what the load needs, and what was served. */
export interface CollectionLoad {
  readonly pk: string
  readonly needed: number
  readonly served: number
}

/** What went wrong since the beginning. */
interface Counts {
  readonly throttled_reads: number
  readonly throttled_writes: number
  readonly conflicts: number
  readonly failed_payments: number
  readonly failed_fan_outs: number
  readonly second_posts: number
}

/** Runs the same load for ten minutes, after the capacity that is retained for bursts is spent. */
export async function steadyLoad(load: SteadyLoad): Promise<SteadyFigures> {
  const { payments_per_second, webhooks } = load
  const apart_ms = SECOND / payments_per_second
  const samples = await workSamples({ ...samplesFor(webhooks), apart_ms, webhooks })
  const { templates, collections } = templatesOf(samples)
  const service = new ModelledService(partitionsFor(templates[0]!))
  const { time, table, index } = service
  service.scaleOut()
  const latencies = payAll(service, templates, apart_ms)
  time.runUntil(BEGINS_MS)
  service.spendBursts()
  for (const collection of collections) collection.write_units = 0
  const before = countsOf(service)
  time.runUntil(ENDS_MS)
  const [counts, shown] = [countsOf(service), busiest(templates, payments_per_second)]
  time.runUntil(ENDS_MS + ENDING_MS)
  const writes = loadsOf(table, 'write')
  const mean = writes.reduce((sum, partition) => sum + partition.mean, 0)
  return {
    load,
    partitions: table.all.length,
    write_units_per_second: mean * published.write_units_per_second.value,
    write: highestOf(writes),
    read: highestOf(loadsOf(table, 'read')),
    index: highestOf(loadsOf(index, 'write')),
    hot: writes.filter(({ highest }) => highest > UTILISATION_AT_MOST).length,
    counts: less(counts, before),
    first_delivery: latencies(),
    collections: shown,
  }
}

/** Enough samples that keys derived from ids are spread as in a long run, with about 4,000 deliveries. */
const samplesFor = (webhooks: number) => ({
  payments: webhooks > 10 ? 200 : 1_000,
  deliveries_max: webhooks > 10 ? 20 : 4,
})

/** Makes payments at an even pace. Returns a function for the latencies of the first deliveries of measured ones. */
function payAll(service: ModelledService, templates: readonly Template[], apart_ms: number) {
  const { time } = service
  const latencies: number[] = []
  const isMeasured = (at: number) => at >= BEGINS_MS && at < ENDS_MS
  service.onFirstPost = ({ paid_at, born }) => {
    if (isMeasured(paid_at)) latencies.push(time.now - born)
  }
  let [number, expected] = [0, 0]
  const pay = () => {
    const template = templates[number % templates.length]!
    if (isMeasured(time.now)) for (const { deliveries } of template.fan_outs) expected += deliveries
    service.pay(number++, template)
    if (time.now + apart_ms < ENDS_MS) time.after(apart_ms, pay)
  }
  pay()
  return () => {
    while (latencies.length < expected) latencies.push(Number.POSITIVE_INFINITY)
    return { p50: quantile(latencies, 0.5), p99: quantile(latencies, 0.99) }
  }
}

const countsOf = ({ ended, replay: { answers } }: ModelledService): Counts => ({
  throttled_reads: answers.throttled.read,
  throttled_writes: answers.throttled.write,
  conflicts: answers.conflicts,
  failed_payments: ended.failed_payments,
  failed_fan_outs: ended.failed_fan_outs,
  second_posts: ended.second_posts,
})

const less = (counts: Counts, before: Counts): Counts =>
  Object.fromEntries(
    Object.entries(counts).map(([name, count]) => [name, count - before[name as keyof Counts]]),
  ) as unknown as Counts

interface PartitionLoad {
  readonly highest: number
  readonly mean: number
}

/** The utilisation of each partition in the measured minutes. */
function loadsOf({ all, replaced }: Partitions, operation: Operation): PartitionLoad[] {
  return [...all, ...replaced].map(({ minutes }) => {
    const parts = minutes.filter(({ ends }) => ends > BEGINS_MS && ends <= ENDS_MS).map((minute) => minute[operation])
    const sum = parts.reduce((total, part) => total + part, 0)
    return { highest: Math.max(0, ...parts), mean: sum / (MEASURED_MS / MINUTE) }
  })
}

const highestOf = (loads: readonly PartitionLoad[]): number => Math.max(...loads.map(({ highest }) => highest))

/** The item collections that need most write units. */
function busiest(templates: readonly Template[], payments_per_second: number): CollectionLoad[] {
  return [...neededUnits(templates)]
    .map(([{ pk, write_units }, units]) => ({
      pk: withoutIds(pk),
      needed: units * payments_per_second,
      served: (write_units * SECOND) / MEASURED_MS,
    }))
    .sort((one, other) => other.needed - one.needed)
    .slice(0, COLLECTIONS_SHOWN)
}

/** A partition key without the letters of its ids. */
const withoutIds = (pk: string): string => pk.replaceAll(/(?<=_)[0-9a-z]{20,}/g, '…')
