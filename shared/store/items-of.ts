import type { Item, Range, Table } from '#shared/platform/ports.ts'

/** All items of a range, read page by page; at most `limit` items if the range has a limit. */
export async function itemsOf(table: Table, range: Range): Promise<Item[]> {
  const items: Item[] = []
  for (let next = range.after; ; ) {
    const page = await table.query({ ...range, after: next, limit: range.limit && range.limit - items.length })
    for (const item of page.items) items.push(item)
    if (page.next === undefined || items.length === range.limit) return items
    next = page.next
  }
}
