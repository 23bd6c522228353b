/** The most objects that Stripe returns in one page of a list. */
export const PAGE_SIZE = 100

/** One page of a list of Stripe. */
interface Page<T> {
  readonly data: readonly T[]
  readonly has_more: boolean
}

/** Reads one page: the first, or the one after the object with this id. */
type ReadPage<T> = (page: { readonly limit: number; readonly starting_after?: string }) => Promise<Page<T>>

/** Reads a list page by page, and yields each of its objects. */
export async function* listed<T extends { readonly id: string }>(read: ReadPage<T>): AsyncGenerator<T> {
  for (let after = {}; ; ) {
    const { data, has_more } = await read({ limit: PAGE_SIZE, ...after })
    yield* data
    const last = data.at(-1)
    if (!has_more || !last) return
    after = { starting_after: last.id }
  }
}

/** Reads a list until an object matches. Undefined if none does. */
export async function find<T extends { readonly id: string }>(
  read: ReadPage<T>,
  matches: (object: T) => boolean,
): Promise<T | undefined> {
  for await (const object of listed(read)) if (matches(object)) return object
  return undefined
}
