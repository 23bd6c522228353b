/** A figure with its limits. */
export interface Aim {
  readonly value: number
  readonly at_most?: number
  readonly at_least?: number
}

/** Whether a figure is within its limits. */
export const meets = ({
  value,
  at_most = Number.POSITIVE_INFINITY,
  at_least = Number.NEGATIVE_INFINITY,
}: Aim): boolean => value <= at_most && value >= at_least

let missed = 0

/** Returns the limit of a figure as text. Marks and counts a figure that misses its limit. */
export function mark(aim: Aim): string {
  const text = aim.at_most === undefined ? `>= ${aim.at_least}` : `<= ${aim.at_most}`
  if (meets(aim)) return text
  missed += 1
  return `${text} MISSED`
}

/** The number of missed aims so far. */
export const missedAims = (): number => missed

export function heading(text: string): void {
  console.log(`\n${text}\n${'='.repeat(text.length)}\n`)
}

/** Prints a note with one argument per line. */
export function note(...lines: readonly string[]): void {
  console.log(`${lines.join('\n')}\n`)
}

/** Prints rows under their column names. Numbers are aligned to the right. */
export function table(columns: readonly string[], rows: readonly (readonly (string | number)[])[]): void {
  const texts = [columns, ...rows].map((row) => row.map(String))
  const widths = columns.map((_, at) => Math.max(...texts.map((row) => row[at]!.length)))
  const isNumber = columns.map((_, at) =>
    rows.every((row) => typeof row[at] === 'number' || /^[\d.,]*$/.test(`${row[at]}`)),
  )
  const line = (row: readonly string[]) =>
    row
      .map((text, at) => (isNumber[at] ? text.padStart(widths[at]!) : text.padEnd(widths[at]!)))
      .join('  ')
      .trimEnd()
  const [head, ...body] = texts.map(line)
  console.log([head, widths.map((width) => '-'.repeat(width)).join('  '), ...body, ''].join('\n'))
}

/** The median. For an even number of values it is the upper one of the two in the middle. */
export const median = (values: readonly number[]): number => quantile(values, 0.5)

/** The value below which this part of all values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(Math.floor(sorted.length * part), sorted.length - 1)] ?? Number.NaN
}
