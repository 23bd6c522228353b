import { base32, idOf, timeLetters } from '#shared/domain/ids.ts'
import type { Item } from '#shared/platform/ports.ts'
import { deliveryList } from '#shared/store/deliveries.ts'
import { eventList } from '#shared/store/events.ts'
import { hourLetters, LANE_PREFIX, type List, lanesPk } from '#shared/store/list-keys.ts'
import { cellName, countedFacet, type Lane } from '#shared/store/list-lanes.ts'
import { type PageWanted, pageOf } from '#shared/store/list-page.ts'
import { closedUntil } from '#shared/store/list-tally.ts'
import { paymentList } from '#shared/store/payments.ts'
import { headSince } from '#test/fixtures/list-writes.ts'
import { measured } from '#test/fixtures/measured-table.ts'
import { MemoryTable } from '#test/simulation/memory-table.ts'

/** The costs of the first read of a page, when no counts are stored, and of a second read. */
export interface ListFigures {
  readonly page: string
  readonly first: PageCost
  readonly again: PageCost
}

export interface PageCost {
  readonly total: number
  readonly waits: number
  readonly calls: number
  readonly read_units: number
}

const HOUR = 60 * 60_000
const DAY = 24 * HOUR

/**
 * Measures pages of a list in calls and units of the table. Its entries were created evenly over the last two years.
 */
export async function listBench(entries = 1_000_000): Promise<ListFigures[]> {
  const list = paymentList(idOf('merchant', 0, new Uint8Array(16)))
  const now = Date.UTC(2026, 5, 15, 23, 5)
  const memory = new MemoryTable()
  const closed = closedUntil(now)
  memory.items.set(list.pk, entriesOver(list, closed - 730 * DAY, closed, entries))
  await memory.write([{ put: headSince(list, closed) }])

  const cost = async (wanted: Omit<PageWanted, 'now'>): Promise<PageCost> => {
    const table = measured(memory)
    const units_before = memory.read_units
    const { total } = await pageOf(table, list, { ...wanted, now })
    const { waits, calls } = table.measure
    return { total, waits, calls, read_units: memory.read_units - units_before }
  }
  const month = { created_from: now - 45 * DAY, created_before: now - 15 * DAY }
  const captured = { accepts: (facet: string) => facet.startsWith('captured') }
  const failed = { accepts: (facet: string) => facet.startsWith('failed') }
  const pages: Record<string, Omit<PageWanted, 'now'>> = {
    'page 1 of 10': { page: 1, per_page: 10 },
    'page 10,000 of 10': { page: 10_000, per_page: 10 },
    'page 1 of 100': { page: 1, per_page: 100 },
    'page 10,000 of 100': { page: 10_000, per_page: 100 },
    'page 1 of 10 of a month': { page: 1, per_page: 10, ...month },
    'page 2,000 of 10 of a month': { page: 2_000, per_page: 10, ...month },
    'page 1 of 10 of the captured': { page: 1, per_page: 10, ...captured },
    'page 1 of 10 of the failed, one of 1,000': { page: 1, per_page: 10, ...failed },
    'page 50 of 10 of the failed': { page: 50, per_page: 10, ...failed },
  }
  const figures: ListFigures[] = []
  for (const [page, wanted] of Object.entries(pages)) {
    const [first, again] = [await cost(wanted), await cost(wanted)]
    figures.push({ page, first, again })
  }
  return figures
}

/** The cost of page 1 of a list with this number of entries in its open hour. */
export interface OpenHourFigures extends PageCost {
  readonly list: string
  readonly entries: number
}

/** The processes that write the entries of an hour, each with a lane of its own. */
const PROCESSES = 100

/** Measures page 1 of 100 of lists whose entries are counted in lanes, with 1,000 older entries. */
export async function openHourBench(sizes: readonly number[] = [100, 10_000, 250_000]): Promise<OpenHourFigures[]> {
  const merchant = idOf('merchant', 0, new Uint8Array(16))
  const webhook = idOf('webhook', 0, new Uint8Array(16))
  const lists: Readonly<Record<string, List>> = {
    payments: paymentList(merchant),
    events: eventList(merchant),
    deliveries: deliveryList(merchant),
    'deliveries of a webhook': deliveryList(merchant, { by: 'webhook', value: webhook }),
  }
  const now = Date.UTC(2026, 5, 15, 23, 59)
  const hour = now - (now % HOUR)
  const figures: OpenHourFigures[] = []
  for (const [name, list] of Object.entries(lists))
    for (const entries of sizes) {
      const memory = new MemoryTable()
      await memory.write([{ put: headSince(list, now - 12 * HOUR) }])
      fill(memory, list, { from: hour - 10 * DAY, to: hour, count: 1_000 })
      fill(memory, list, { from: hour, to: now, count: entries })
      const wanted = { page: 1, per_page: 100, now }
      // The first read stores the counts of the closed hours, the second one adds the lanes to them.
      for (let reads = 0; reads < 2; reads++) await pageOf(memory, list, wanted)
      const table = measured(memory)
      const units_before = memory.read_units
      const { total } = await pageOf(table, list, wanted)
      const { waits, calls } = table.measure
      figures.push({ list: name, entries, total, waits, calls, read_units: memory.read_units - units_before })
    }
  return figures
}

const FACET = 'captured/JPY'

/** Adds entries that were created evenly over a time, and the lanes that count them. */
function fill(memory: MemoryTable, list: List, { from, to, count }: { from: number; to: number; count: number }): void {
  const lanes = new Map<string, Lane>()
  const entries = memory.items.get(list.pk) ?? []
  memory.items.set(list.pk, entries)
  for (let n = 0; n < count; n++) {
    const born = from + Math.floor(((to - from) * n) / count)
    const id = list.prefix + timeLetters(born) + base32(n, 16)
    const [hour, process] = [hourLetters(born), base32(n % PROCESSES, 8)]
    const sk = `${LANE_PREFIX}${hour}${process}`
    const lane = lanes.get(sk) ?? {
      pk: lanesPk(list),
      sk,
      version: 0,
      ttl: 0,
      added: {},
      gone: {},
    }
    const version = lane.version + 1
    lanes.set(sk, { ...lane, version, added: { [cellName(list, hour, countedFacet(list, FACET))]: version } })
    const counted_in = `${hour}${process}.${version}`
    entries.push({ pk: list.pk, sk: id, version: 1, facet: FACET, counted_in })
  }
  const heads = memory.items.get(lanesPk(list)) ?? []
  const sorted = [...heads, ...lanes.values()].sort((one, other) => (one.sk < other.sk ? -1 : 1))
  memory.items.set(lanesPk(list), sorted)
}

/** One payment of so many has failed. */
const FAILED_EVERY = 1_000

function entriesOver(list: List, from: number, to: number, count: number): Item[] {
  const suffix = new Uint8Array(16)
  return Array.from({ length: count }, (_, n) => {
    const born = from + Math.floor(((to - from) * n) / count)
    const facet = n % FAILED_EVERY ? FACET : 'failed/JPY'
    const counted_in = `${hourLetters(born)}lane.1`
    return { pk: list.pk, sk: idOf('payment', born, suffix), version: 1, facet, counted_in }
  })
}
