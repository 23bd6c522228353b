import type { LocalPlatform } from '#infra/local/local-platform.ts'
import type { SqliteTable } from '#infra/local/sqlite-table.ts'
import type { Table } from '#shared/platform/ports.ts'

/**
 * One call of the table as far as it affects the disk: the sizes of the rows that it reads, or the bytes that it
 * commits.
 */
export type Step =
  | { readonly read: readonly number[] }
  | { readonly range: readonly number[] }
  | { readonly commit: number }

/** The table calls of a request and its response, from which the bare server repeats the same work. */
export interface Recipe {
  readonly steps: readonly Step[]
  readonly answer: string
}

/** A platform whose table records its calls. `take` returns the recorded calls and clears them. */
export function recording(platform: LocalPlatform): { platform: LocalPlatform; take(): Step[] } {
  const { table: inner } = platform
  let steps: Step[] = []
  const table: Table = {
    async get(keys) {
      const items = await inner.get(keys)
      steps.push({ read: items.map((item) => (item ? bytesOf(item) : 0)) })
      return items
    },
    async query(range) {
      const page = await inner.query(range)
      steps.push({ range: page.items.map(bytesOf) })
      return page
    },
    async count(range) {
      const page = await inner.count(range)
      steps.push({ range: Array.from({ length: page.count }, () => 0) })
      return page
    },
    async write(writes, options) {
      await inner.write(writes, options)
      steps.push({ commit: writes.reduce((sum, write) => sum + ('put' in write ? bytesOf(write.put) : 0), 0) })
    },
    due: (range) => inner.due(range),
  }
  return {
    platform: { ...platform, table: table as SqliteTable },
    take() {
      const taken = steps
      steps = []
      return taken
    },
  }
}

const bytesOf = (value: object): number => Buffer.byteLength(JSON.stringify(value))
