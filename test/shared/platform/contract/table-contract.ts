import { randomBytes } from 'node:crypto'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  type DueRange,
  type Item,
  type Key,
  type Range,
  type Table,
  type Write,
  WriteConflict,
} from '#shared/platform/ports.ts'

/**
 * The contract of `Table`, which every adapter fulfils. `open` is called once; the tests share the table, not its keys.
 */
export function tableContract(name: string, open: () => Promise<Table>): void {
  describe(name, () => {
    let table: Table
    let pk: string
    beforeAll(async () => {
      table = await open()
    })
    beforeEach(() => {
      pk = `contract#${randomBytes(8).toString('hex')}`
    })

    const key = (sk: string): Key => ({ pk, sk })
    const item = (sk: string, fields: Partial<Item> = {}): Item => ({ pk, sk, version: 1, ...fields })
    const put = (...items: Item[]) => table.write(items.map((item) => ({ put: item })))
    const read = async (sk: string) => (await table.get([key(sk)]))[0]

    describe('get', () => {
      test('returns items in the order of the keys, with undefined for absent items', async () => {
        await put(item('a'), item('b'), item('c'))
        expect(await table.get([key('c'), key('nothing'), key('a'), key('b')])).toEqual([
          item('c'),
          undefined,
          item('a'),
          item('b'),
        ])
      })

      test('accepts 100 keys at once', async () => {
        const items = Array.from({ length: 100 }, (_, n) => item(`n${n}`, { n }))
        await put(...items)
        expect(await table.get(items.map(({ sk }) => key(sk)).reverse())).toEqual(items.reverse())
      })

      test.each<[string, Item[string]]>([
        ['an empty text', ''],
        ['text of every plane', 'é ー 決済 👩‍👩‍👧 \u{10FFFF} \u0001 " \\ \n'],
        ['the largest whole number', Number.MAX_SAFE_INTEGER],
        ['the smallest whole number', Number.MIN_SAFE_INTEGER],
        ['a number of 17 digits', 0.1 + 0.2],
        ['a tiny number', -1.5e-130],
        ['zero', 0],
        ['false', false],
        ['null', null],
        ['an empty list', []],
        ['an empty object', {}],
        ['nested values', { list: [1, 'two', [null, { three: [] }], true], 'a b#.$': { é: '' } }],
        ['names that every object has', { constructor: 'c', toString: null, nested: { constructor: 1, valueOf: [] } }],
        ['200 KB of text', 'x'.repeat(200 * 1024)],
      ])('returns %s as it was put', async (_, value) => {
        await put(item('value', { value }))
        expect(await read('value')).toEqual(item('value', { value }))
      })

      test('omits an attribute that was put as undefined', async () => {
        await put(item('a', { gone: undefined, nested: { gone: undefined as never, kept: 1 } }))
        expect(Object.keys((await read('a'))!).sort()).toEqual(['nested', 'pk', 'sk', 'version'])
        expect(await read('a')).toEqual(item('a', { nested: { kept: 1 } }))
      })

      test('does not see later changes of an object that was put', async () => {
        const nested = { n: 1 }
        const writing = put(item('a', { nested }))
        nested.n = 2
        await writing
        expect(await read('a')).toEqual(item('a', { nested: { n: 1 } }))
      })
    })

    describe('query', () => {
      const sks = ['a', 'b', 'c', 'd', 'e']
      const found = async (range: Omit<Range, 'pk'>) => (await table.query({ pk, ...range })).items.map(({ sk }) => sk)
      beforeEach(() => put(...['c', 'a', 'e', 'd', 'b'].map((sk) => item(sk))))

      test.each<[string, Omit<Range, 'pk'>, string[]]>([
        ['all items', {}, sks],
        ['all items backwards', { descending: true }, ['e', 'd', 'c', 'b', 'a']],
        ['the items from a key on', { from: 'c' }, ['c', 'd', 'e']],
        ['the items from between two keys on', { from: 'bb' }, ['c', 'd', 'e']],
        ['the items up to a key', { to: 'c' }, ['a', 'b', 'c']],
        ['the items from one key to another', { from: 'b', to: 'd' }, ['b', 'c', 'd']],
        ['the items from one key to another, backwards', { from: 'b', to: 'd', descending: true }, ['d', 'c', 'b']],
        ['one item', { from: 'b', to: 'b' }, ['b']],
        ['nothing between two items', { from: 'bb', to: 'bc' }, []],
        ['nothing if the range ends before it begins', { from: 'd', to: 'b' }, []],
        ['the first two', { limit: 2 }, ['a', 'b']],
        ['the last two', { limit: 2, descending: true }, ['e', 'd']],
        ['the items after a key', { after: 'c' }, ['d', 'e']],
        ['the items after a key, backwards', { after: 'c', descending: true }, ['b', 'a']],
        ['the items after a key, up to another', { from: 'a', to: 'd', after: 'b' }, ['c', 'd']],
        [
          'the items after a key, up to another, backwards',
          { from: 'b', to: 'd', after: 'd', descending: true },
          ['c', 'b'],
        ],
        ['the items after a key, two at most', { from: 'a', after: 'a', limit: 2 }, ['b', 'c']],
      ])('returns %s', async (_, range, expected) => {
        expect(await found(range)).toEqual(expected)
        expect(await table.count({ pk, ...range })).toMatchObject({ count: expected.length })
      })

      test('returns nothing for an absent pk, and nothing of a pk with the same beginning', async () => {
        expect(await table.query({ pk: `${pk}#` })).toEqual({ items: [] })
        await table.write([{ put: { pk: `${pk}0`, sk: 'a', version: 1 } }])
        expect(await found({})).toEqual(sks)
      })

      test('pages through a range and returns each item once', async () => {
        for (const descending of [false, true]) {
          const pages = await walk((after) => table.query({ pk, from: 'b', limit: 2, descending, after }))
          const walked = pages.flatMap(({ items }) => items.map(({ sk }) => sk))
          expect(walked).toEqual(descending ? ['e', 'd', 'c', 'b'] : ['b', 'c', 'd', 'e'])
          const counted = await walk((after) => table.count({ pk, from: 'b', limit: 2, descending, after }))
          expect(counted.map(({ count }) => count)).toEqual(pages.map(({ items }) => items.length))
        }
      })

      test('has no next page after the last', async () => {
        expect(await table.query({ pk, after: 'd' })).toEqual({ items: [item('e')] })
        expect(await table.count({ pk })).toEqual({ count: 5 })
      })

      test('sees a write as soon as it is done', async () => {
        await table.write([{ delete: key('b') }, { put: item('f') }])
        expect(await found({})).toEqual(['a', 'c', 'd', 'e', 'f'])
        expect(await table.count({ pk })).toEqual({ count: 5 })
      })
    })

    test('query ends a page before 1 MB, and the pages together hold everything', async () => {
      const sks = Array.from({ length: 7 }, (_, n) => `n${n}`)
      for (const sk of sks) await put(item(sk, { text: 'x'.repeat(300_000) }))
      const pages = await walk((after) => table.query({ pk, after }))
      expect(pages.map(({ items }) => items.map(({ sk }) => sk))).toEqual([
        ['n0', 'n1', 'n2'],
        ['n3', 'n4', 'n5'],
        ['n6'],
      ])
      const counted = await walk((after) => table.count({ pk, after }))
      expect(counted.map(({ count }) => count)).toEqual([3, 3, 1])
    })

    test('query sorts texts by their UTF-8 bytes, also outside the basic plane', async () => {
      const sks = ['A', 'Z', 'a', 'a!', 'aa', 'é', 'ー', '決', '\u{FFFD}', '\u{1F600}', '\u{10FFFF}']
      expect(sks.toSorted((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)))).toEqual(sks)
      await put(...sks.toReversed().map((sk) => item(sk)))
      const { items } = await table.query({ pk })
      expect(items.map(({ sk }) => sk)).toEqual(sks)
      expect(await table.count({ pk, from: '\u{FFFD}', to: '\u{1F600}' })).toMatchObject({ count: 2 })
    })

    describe('write', () => {
      beforeEach(() => put(item('one'), item('two', { version: 2 })))

      const refused = async (writes: Write[]) => {
        const error = await table.write(writes).catch((error: unknown) => error)
        expect(error).toBeInstanceOf(WriteConflict)
        return (error as WriteConflict).lost
      }

      test('puts, replaces and deletes if every version is the expected one', async () => {
        await table.write([
          { put: item('new', { version: 1 }), was: 0 },
          { put: item('one', { version: 2, changed: true }), was: 1 },
          { delete: key('two'), was: 2 },
        ])
        expect(await table.get([key('new'), key('one'), key('two')])).toEqual([
          item('new'),
          item('one', { version: 2, changed: true }),
          undefined,
        ])
      })

      test.each<[string, Write[]]>([
        ['a put that expects no item, over an item', [{ put: { pk: '', sk: 'one', version: 1 }, was: 0 }]],
        ['a put over another version', [{ put: { pk: '', sk: 'two', version: 2 }, was: 1 }]],
        ['a put that expects an item, over nothing', [{ put: { pk: '', sk: 'gone', version: 2 }, was: 1 }]],
        ['a delete of another version', [{ delete: { pk: '', sk: 'two' }, was: 1 }]],
        ['a delete of an absent item', [{ delete: { pk: '', sk: 'gone' }, was: 1 }]],
        ['a check of another version', [{ check: { pk: '', sk: 'two' }, was: 3 }]],
        ['a check of an absent item', [{ check: { pk: '', sk: 'gone' }, was: 1 }]],
        ['a check that expects no item, of an item', [{ check: { pk: '', sk: 'one' }, was: 0 }]],
      ])('refuses %s, together with all other writes', async (_, [write]) => {
        const lost = await refused([{ put: item('before', {}), was: 0 }, at(pk, write!), { put: item('behind', {}) }])
        expect(lost).toEqual([1])
        const now = await table.get([key('before'), key('one'), key('two'), key('behind')])
        expect(now).toEqual([undefined, item('one'), item('two', { version: 2 }), undefined])
      })

      test('names every write that was lost', async () => {
        const lost = await refused([
          { put: item('one', { version: 9 }), was: 8 },
          { check: key('two'), was: 2 },
          { delete: key('gone'), was: 1 },
          { put: item('other'), was: 0 },
        ])
        expect(lost).toEqual([0, 2])
      })

      test('accepts a check that holds, and changes nothing by it', async () => {
        await table.write([{ check: key('two'), was: 2 }, { check: key('gone'), was: 0 }, { put: item('three') }])
        expect(await table.get([key('two'), key('gone'), key('three')])).toEqual([
          item('two', { version: 2 }),
          undefined,
          item('three'),
        ])
      })

      test('executes an unconditional write over an item and over nothing', async () => {
        await table.write([
          { put: item('one', { version: 7 }) },
          { put: item('three') },
          { delete: key('two') },
          { delete: key('gone') },
        ])
        expect(await table.get([key('one'), key('two'), key('three')])).toEqual([
          item('one', { version: 7 }),
          undefined,
          item('three'),
        ])
      })

      test('replaces an item completely', async () => {
        await put(item('one', { a: 1, b: 2 }))
        await table.write([{ put: item('one', { version: 2, b: 3 }), was: 1 }])
        expect(await read('one')).toEqual(item('one', { version: 2, b: 3 }))
      })

      test('accepts 100 writes at once, to any keys', async () => {
        const items = Array.from({ length: 100 }, (_, n) => ({ pk: `${pk}#${n % 3}`, sk: `n${n}`, version: 1 }))
        await table.write(items.map((item) => ({ put: item, was: 0 })))
        expect(await table.get(items.map(({ pk, sk }) => ({ pk, sk })))).toEqual(items)
      })

      test('is refused after its latest time, and not before', async () => {
        const late = table.write([{ put: item('late') }], { latest: 1 })
        await expect(late).rejects.toBeInstanceOf(WriteConflict)
        await table.write([{ put: item('early') }], { latest: Date.parse('9000-01-01T00:00:00Z') })
        expect(await table.get([key('late'), key('early')])).toEqual([undefined, item('early')])
      })
    })

    describe('due', () => {
      let shard: string
      const due = (sk: string, due_at: string, fields: Partial<Item> = {}) =>
        item(sk, { due_shard: shard, due_at, ...fields })
      // An index may lag behind the table, so the expected items may come later.
      const expectDue = (range: Partial<DueRange>) =>
        expect.poll(() => walkDue({ shard, after: '2025', until: '2026', ...range }))
      const walkDue = async (range: DueRange) =>
        (await walk((next) => table.due({ ...range, next }))).flatMap(({ keys }) => keys)
      const keyOf = ({ pk, sk, due_at }: Item) => ({ pk, sk, due_at })
      beforeEach(() => {
        shard = `due#${pk}`
      })

      test('returns the keys above `after` up to `until`, earliest first, of one shard only', async () => {
        const [a, b, c] = [due('a', '2025-03'), due('b', '2025-01'), due('c', '2025-02')]
        await put(a, b, c, due('elsewhere', '2025-02', { due_shard: `${shard}#` }), item('never'))
        await expectDue({}).toEqual([b, c, a].map(keyOf))
        await expectDue({ after: '2025-01', until: '2025-03' }).toEqual([c, a].map(keyOf))
        await expectDue({ after: '2025-01', until: '2025-02' }).toEqual([keyOf(c)])
        await expectDue({ after: '2025-03' }).toEqual([])
        await expectDue({ after: '2025-02', until: '2025-02' }).toEqual([])
        await expectDue({ after: '2026', until: '2025' }).toEqual([])
      })

      test('pages through items that are due at the same time and returns each key once', async () => {
        const items = Array.from({ length: 7 }, (_, n) => due(`n${n}`, n < 2 ? '2025-01' : '2025-02'))
        await put(...items)
        await expectDue({}).toHaveLength(7)
        const keys = await walkDue({ shard, after: '2025', until: '2026', limit: 2 })
        expect(keys.map(({ due_at }) => due_at)).toEqual(items.map(({ due_at }) => due_at))
        expect(keys.toSorted((one, other) => (one.sk < other.sk ? -1 : 1))).toEqual(items.map(keyOf))
        expect((await table.due({ shard, after: '2025', until: '2026', limit: 3 })).keys).toHaveLength(3)
      })

      test('follows an item that is postponed, done or deleted', async () => {
        const [a, b, c] = [due('a', '2025-01'), due('b', '2025-02'), due('c', '2025-03')]
        await put(a, b, c)
        await expectDue({}).toEqual([a, b, c].map(keyOf))
        const later = due('a', '2025-04', { version: 2 })
        await table.write([{ put: later, was: 1 }, { put: item('b', { version: 2 }), was: 1 }, { delete: key('c') }])
        await expectDue({}).toEqual([keyOf(later)])
        expect(await read('b')).toEqual(item('b', { version: 2 }))
      })
    })
  })
}

/** Reads all pages, one after the other. */
async function walk<Page extends { next?: string }>(
  turn: (next: string | undefined) => Promise<Page>,
): Promise<Page[]> {
  const pages: Page[] = []
  let next: string | undefined
  do {
    const page = await turn(next)
    pages.push(page)
    next = page.next
  } while (next !== undefined)
  // A platform may return an empty last page.
  return pages.filter((page) => !isEmpty(page))
}

const isEmpty = (page: object): boolean =>
  Object.values(page).every(
    (value) => value === undefined || value === 0 || (Array.isArray(value) && value.length === 0),
  )

function at(pk: string, write: Write): Write {
  if ('put' in write) return { ...write, put: { ...write.put, pk } }
  return 'delete' in write ? { ...write, delete: { ...write.delete, pk } } : { ...write, check: { ...write.check, pk } }
}
