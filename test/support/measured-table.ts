import type { Table } from '#shared/platform/ports.ts'

/** What was asked of a table. */
export interface Measure {
  calls: number
  /** How many times the caller waited: calls that are under way together are one wait. */
  waits: number
  most_at_once: number
}

/** The same table, with a measure of what is asked of it. */
export function measured(table: Table): Table & { readonly measure: Measure } {
  const measure: Measure = { calls: 0, waits: 0, most_at_once: 0 }
  let together: Promise<void> | undefined
  let at_once = 0
  const wait = () => {
    measure.calls++
    measure.most_at_once = Math.max(measure.most_at_once, ++at_once)
    if (!together) {
      measure.waits++
      together = new Promise((resolve) =>
        setImmediate(() => {
          together = undefined
          at_once = 0
          resolve()
        }),
      )
    }
    return together
  }
  return {
    measure,
    get: (keys) => wait().then(() => table.get(keys)),
    query: (range) => wait().then(() => table.query(range)),
    count: (range) => wait().then(() => table.count(range)),
    write: (writes, options) => wait().then(() => table.write(writes, options)),
    due: (range) => wait().then(() => table.due(range)),
  }
}
