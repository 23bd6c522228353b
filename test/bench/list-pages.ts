import { type ListFigures, listBench, openHourBench } from './lists.ts'
import { heading, mark, note, table } from './report.ts'

const ENTRIES = 1_000_000
const RATIO_AT_MOST = 2
const FILTERED_RATIO_AT_MOST = 10
const WAITS_AT_MOST = 7

/** The aims for page 1, however many entries the open hour has. */
const OPEN_HOUR_UNITS_AT_MOST = 25
const OPEN_HOUR_CALLS_AT_MOST = 7

/** The sequential call for the API key. The records are read together with the last read of the list. */
const WAITS_FOR_KEY = 1

/** Compares a page deep in a long list with its first page. */
export async function listPagesBench(): Promise<void> {
  heading(`Pages of a list of ${ENTRIES.toLocaleString('en')} records`)
  note(
    'Ids of a page and the total, without the records; entries spread evenly over two years. First: a read when the counts',
    'that this page needs may be missing. Again: a read with cached counts, like every later one. A request',
    `makes ${WAITS_FOR_KEY} more sequential call for its key, which its aim includes. The records are read with the last read of the list.`,
  )
  const figures = await listBench(ENTRIES)
  const rows = figures.map(({ page, first, again }) => [
    page,
    again.total,
    again.waits,
    mark({ value: again.waits, at_most: WAITS_AT_MOST - WAITS_FOR_KEY }),
    again.calls,
    again.read_units,
    first.waits,
    first.calls,
    first.read_units,
  ])
  table(['page', 'total', 'waits', 'aim', 'calls', 'RU', 'first: waits', 'calls', 'RU'], rows)
  table(
    ['page 10,000 to page 1', 'calls', 'aim', 'RU', 'aim'],
    ['10', '100'].map((per_page) => comparisonOf(figures, per_page)),
  )
  table(['filtered page 1 to page 1', 'RU', 'aim'], filteredRows(figures))
  await openHourTable()
}

/** Compares the pages of a filter with the page of the whole list. */
function filteredRows(figures: readonly ListFigures[]): string[][] {
  const whole = figures.find(({ page }) => page === 'page 1 of 10')!.again.read_units
  return figures
    .filter(({ page }) => /captured|failed/.test(page))
    .map(({ page, again }) => {
      const value = again.read_units / whole
      return [page, value.toFixed(2), mark({ value, at_most: FILTERED_RATIO_AT_MOST })]
    })
}

/** Shows that the cost of page 1 does not depend on the number of entries in the open hour. */
async function openHourTable(): Promise<void> {
  note('Page 1 of 100 of lists with entries in the open hour, which 100 processes have written.')
  const rows = (await openHourBench()).map(({ list, entries, waits, calls, read_units }) => [
    list,
    entries.toLocaleString('en'),
    waits,
    calls,
    mark({ value: calls, at_most: OPEN_HOUR_CALLS_AT_MOST }),
    read_units,
    mark({ value: read_units, at_most: OPEN_HOUR_UNITS_AT_MOST }),
  ])
  table(['list', 'in the open hour', 'waits', 'calls', 'aim', 'RU', 'aim'], rows)
}

function comparisonOf(figures: readonly ListFigures[], per_page: string): string[] {
  const cost = (page: string) => figures.find((figure) => figure.page === `page ${page} of ${per_page}`)!.again
  const ratios = (['calls', 'read_units'] as const).map((what) => cost('10,000')[what] / cost('1')[what])
  return [
    `${per_page} per page`,
    ...ratios.flatMap((value) => [value.toFixed(2), mark({ value, at_most: RATIO_AT_MOST })]),
  ]
}
