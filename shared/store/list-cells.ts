import type { Key } from '#shared/platform/ports.ts'
import { HOUR_MS, type List, type Span } from './list-keys.ts'

/** A size in which entries are counted: calendar months, days and hours of UTC. */
interface Size {
  /** The start of the month, day or hour that contains a moment, in epoch milliseconds, and the start of the next one. */
  readonly around: (at: number) => Span
  /** The `sk` of the row with its stored count. */
  readonly sk: (at: number) => string
}

const DAY_MS = 24 * HOUR_MS

const around = (at: number, size: number): Span => ({ from: at - (at % size), to: at - (at % size) + size })
const cut = (at: number, form: string): string => new Date(at).toISOString().slice(0, form.length)

const month: Size = {
  around(at) {
    const date = new Date(at)
    const startOf = (later: number) => Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later)
    return { from: startOf(0), to: startOf(1) }
  },
  sk: (at) => `month#${cut(at, 'yyyy-mm')}`,
}
const day: Size = { around: (at) => around(at, DAY_MS), sk: (at) => `day#${cut(at, 'yyyy-mm-dd')}` }
const hour: Size = { around: (at) => around(at, HOUR_MS), sk: (at) => `hour#${cut(at, 'yyyy-mm-ddThh')}` }

/** The sizes, the longest first. */
const sizes = [month, day, hour]

/** The start of the UTC month that contains this moment. */
export const monthOf = (at: number): number => month.around(at).from

/**
 * Cuts a span into whole UTC months where it contains them, else into days, else into hours; oldest first. The first and
 * last cell can be part of an hour.
 */
export const cellsOf = (span: Span): Span[] => cellsBy(sizes, span)

/** Cuts a span into UTC hours, oldest first. The first and last cell can be part of an hour. */
export const hoursOf = (span: Span): Span[] => cellsBy([hour], span)

/** The days of a month, or the hours of a day; undefined for any other cell. */
export function finerCells(cell: Span): Span[] | undefined {
  const at = sizes.findIndex((size) => isWhole(size, cell))
  return at === 0 || at === 1 ? cellsBy(sizes.slice(at + 1), cell) : undefined
}

/** Whether the cell is a whole month. */
export const isMonth = (cell: Span): boolean => isWhole(month, cell)

/** The key of the row with the stored count of a whole month, day or hour; undefined for any other cell. */
export function rowOf(list: List, cell: Span): Key | undefined {
  const size = sizes.find((size) => isWhole(size, cell))
  return size && { pk: countsPk(list), sk: size.sk(cell.from) }
}

/** The keys of the rows with the stored counts of the hour, the day and the month that contain a moment. */
export const rowsAround = (list: List, at: number): Key[] =>
  sizes.map((size) => ({ pk: countsPk(list), sk: size.sk(at) }))

/** The months and days that contain the cell: cells with the same name are read with one query. */
export function runOf(cell: Span): string {
  const longer = sizes[sizes.findIndex((size) => isWhole(size, cell)) - 1]
  return longer ? longer.sk(cell.from) : ''
}

const countsPk = ({ pk }: List): string => `${pk}#count`

function isWhole({ around }: Size, cell: Span): boolean {
  const { from, to } = around(cell.from)
  return cell.from === from && cell.to === to
}

function cellsBy(allowed: readonly Size[], span: Span): Span[] {
  const cells: Span[] = []
  for (let at = span.from; at < span.to; at = cells.at(-1)!.to) {
    const whole = allowed.map(({ around }) => around(at)).find(({ from, to }) => from === at && to <= span.to)
    cells.push(whole ?? { from: at, to: Math.min(hour.around(at).to, span.to) })
  }
  return cells
}
