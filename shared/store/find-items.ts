import type { Item, WholeTable } from '#shared/platform/ports.ts'

/** How many items are read between two progress reports. */
const PROGRESS_EVERY = 10_000

/** Receives a line about the progress of a long scan from time to time. */
export type OnProgress = (line: string) => void

/**
 * The kind of the records to find, and their merchant. Without a merchant, the records of all merchants are searched.
 */
export interface Search {
  readonly kind: string
  readonly merchant?: string
}

/** Yields the matching records of a kind, page by page. */
export async function* findItems(
  table: Pick<WholeTable, 'scan'>,
  { kind, merchant }: Search,
  fits: (item: Item) => boolean,
  onProgress: OnProgress = () => {},
): AsyncGenerator<Item> {
  const pk_prefix = merchant === undefined ? `${kind}#` : `${kind}#${merchant}#`
  let [read, reported] = [0, 0]
  let after: string | undefined
  do {
    const page = await table.scan({ pk_prefix, after })
    for (const item of page.items) if (item.sk === kind && fits(item)) yield item
    read += page.items.length
    if (read - reported >= PROGRESS_EVERY) {
      onProgress(`${read} items read`)
      reported = read
    }
    after = page.next
  } while (after !== undefined)
}

/** The first matching record of a kind; undefined if there is none. */
export async function findItem(...search: Parameters<typeof findItems>): Promise<Item | undefined> {
  for await (const item of findItems(...search)) return item
  return undefined
}
