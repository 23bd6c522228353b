import { randomBytes } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import type { Item, WholeTable } from '#shared/platform/ports.ts'

/** The contract of `WholeTable`, in addition to the contract of `Table`. */
export function scanContract(name: string, open: () => Promise<WholeTable>): void {
  describe(`${name}.scan`, () => {
    const all = async (table: WholeTable, pk_prefix?: string) => {
      const pages: Item[][] = []
      let after: string | undefined
      do {
        const page = await table.scan({ pk_prefix, after })
        pages.push(page.items)
        after = page.next
      } while (after !== undefined)
      return pages
    }

    test('returns every item once, those of one pk together and in order, in pages below 1 MB', async () => {
      const table = await open()
      const items = Array.from({ length: 12 }, (_, n) => ({
        ...{ pk: `p#${n % 4}`, sk: `s${n}`, version: 1 },
        text: randomBytes(100_000).toString('hex'),
      }))
      for (const item of items) await table.write([{ put: item }])
      const pages = await all(table)
      expect(pages.length).toBeGreaterThan(2)
      const found = pages.flat()
      const order = (of: readonly Item[]) => of.toSorted((one, other) => (one.sk < other.sk ? -1 : 1))
      expect(order(found)).toEqual(order(items))
      const pks = found.map(({ pk }) => pk).filter((pk, index, all) => pk !== all[index - 1])
      expect(pks).toHaveLength(4)
      for (const pk of pks) {
        const sks = found.filter((item) => item.pk === pk).map(({ sk }) => sk)
        expect(sks).toEqual(sks.toSorted())
      }
    })

    test('returns only the items whose pk begins with the prefix', async () => {
      const table = await open()
      const of = (...pks: string[]) => pks.map((pk) => ({ put: { pk, sk: 's', version: 1 } }))
      await table.write(of('payment#a', 'payment#\u{1F600}', 'payments', 'pay', 'zoo'))
      const pks = (await all(table, 'payment#')).flat().map(({ pk }) => pk)
      expect(pks.toSorted()).toEqual(['payment#a', 'payment#\u{1F600}'])
      expect((await all(table, 'nothing')).flat()).toEqual([])
    })
  })
}
