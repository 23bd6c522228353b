import type { Item, WholeTable } from '#shared/platform/ports.ts'

/** How many items are looked at between two reports of progress. */
const PROGRESS_EVERY = 10_000

/** Told from time to time how far long work has come. */
export type OnProgress = (line: string) => void

/** Where a kind of record stands, and whose: without a merchant, all of the kind are looked through. */
export interface Sought {
  readonly kind: string
  readonly merchant?: string
}

/** The records of a kind that fit, whosever they are, page by page. */
export async function* findItems(
  table: Pick<WholeTable, 'scan'>,
  { kind, merchant }: Sought,
  fits: (item: Item) => boolean,
  onProgress: OnProgress = () => {},
): AsyncGenerator<Item> {
  const pk_prefix = merchant === undefined ? `${kind}#` : `${kind}#${merchant}#`
  let [read, told] = [0, 0]
  let after: string | undefined
  do {
    const page = await table.scan({ pk_prefix, after })
    for (const item of page.items) if (item.sk === kind && fits(item)) yield item
    read += page.items.length
    if (read - told >= PROGRESS_EVERY) {
      onProgress(`${read} items looked at`)
      told = read
    }
    after = page.next
  } while (after !== undefined)
}

/** The first record of a kind that fits. */
export async function findItem(...search: Parameters<typeof findItems>): Promise<Item | undefined> {
  for await (const item of findItems(...search)) return item
  return undefined
}
