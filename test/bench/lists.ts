import { idOf } from '#shared/domain/ids.ts'
import type { Item } from '#shared/platform/ports.ts'
import type { List } from '#shared/store/list-keys.ts'
import { type PageWanted, pageOf } from '#shared/store/list-page.ts'
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

const DAY = 24 * 60 * 60_000

/**
 * Measures pages of a list in calls and units of the table. Its entries were created evenly over the last two years.
 */
export async function listBench(entries = 1_000_000): Promise<ListFigures[]> {
  const list: List = { pk: `list#payment#${idOf('merchant', 0, new Uint8Array(16))}`, prefix: 'pay_', counted: true }
  const now = Date.UTC(2026, 5, 15, 23, 5)
  const memory = new MemoryTable()
  memory.items.set(list.pk, entriesOver(list, now - 730 * DAY, now, entries))

  const cost = async (wanted: Omit<PageWanted, 'now'>): Promise<PageCost> => {
    const table = measured(memory)
    const units_before = memory.read_units
    const { total } = await pageOf(table, list, { ...wanted, now })
    const { waits, calls } = table.measure
    return { total, waits, calls, read_units: memory.read_units - units_before }
  }
  const month = { created_from: now - 45 * DAY, created_before: now - 15 * DAY }
  const captured = { accepts: (facet: string) => facet.startsWith('captured') }
  const pages: Record<string, Omit<PageWanted, 'now'>> = {
    'page 1 of 10': { page: 1, per_page: 10 },
    'page 10,000 of 10': { page: 10_000, per_page: 10 },
    'page 1 of 100': { page: 1, per_page: 100 },
    'page 10,000 of 100': { page: 10_000, per_page: 100 },
    'page 1 of 10 of a month': { page: 1, per_page: 10, ...month },
    'page 2,000 of 10 of a month': { page: 2_000, per_page: 10, ...month },
    'page 1 of 10 of the captured': { page: 1, per_page: 10, ...captured },
  }
  const figures: ListFigures[] = []
  for (const [page, wanted] of Object.entries(pages)) {
    const [first, again] = [await cost(wanted), await cost(wanted)]
    figures.push({ page, first, again })
  }
  return figures
}

function entriesOver(list: List, from: number, to: number, count: number): Item[] {
  const suffix = new Uint8Array(16)
  return Array.from({ length: count }, (_, n) => {
    const born = from + Math.floor(((to - from) * n) / count)
    return { pk: list.pk, sk: idOf('payment', born, suffix), version: 1, facet: n % 9 ? 'captured/JPY' : 'failed/USD' }
  })
}
