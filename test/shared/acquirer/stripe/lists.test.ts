import { describe, expect, test } from 'vitest'
import { find, listed } from '#shared/acquirer/stripe/lists.ts'

/** A list of three objects in pages of two, and the pages that were read. */
function listOfThree() {
  const objects = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]
  const reads: object[] = []
  return {
    reads,
    async read(page: { readonly limit: number; readonly starting_after?: string }) {
      reads.push(page)
      const from = objects.findIndex(({ id }) => id === page.starting_after) + 1
      return { data: objects.slice(from, from + 2), has_more: from + 2 < objects.length }
    },
  }
}

describe('listed', () => {
  test('yields the objects of all pages', async () => {
    const { read, reads } = listOfThree()
    expect(await Array.fromAsync(listed(read))).toEqual([{ id: 'a' }, { id: 'b' }, { id: 'c' }])
    expect(reads).toEqual([{ limit: 100 }, { limit: 100, starting_after: 'b' }])
  })

  test('ends at an empty page, although more are announced', async () => {
    expect(await Array.fromAsync(listed(async () => ({ data: [], has_more: true })))).toEqual([])
  })
})

describe('find', () => {
  test('reads no page after the object that matches', async () => {
    const { read, reads } = listOfThree()
    expect(await find(read, ({ id }) => id === 'a')).toEqual({ id: 'a' })
    expect(reads).toHaveLength(1)
    expect(await find(read, ({ id }) => id === 'd')).toBeUndefined()
  })
})
