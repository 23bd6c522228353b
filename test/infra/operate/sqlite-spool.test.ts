import { existsSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { SqliteSpool } from '#infra/operate/sqlite-spool.ts'

describe('SqliteSpool', () => {
  test('groups facts by merchant and id, in this order', () => {
    const spool = new SqliteSpool()
    for (let n = 0; n < 12_000; n++) spool.add(`mer_${n % 2}`, `id_${n % 3}`, { kind: 'fact', n })
    spool.add('mer_0', '!first', { kind: 'fact', text: 'é " 決' })
    const groups = [...spool.groups()]
    spool.close()
    expect(groups.map(({ merchant, id }) => `${merchant} ${id}`)).toEqual([
      'mer_0 !first',
      ...['mer_0', 'mer_1'].flatMap((merchant) => [0, 1, 2].map((n) => `${merchant} id_${n}`)),
    ])
    expect(groups[0]!.facts).toEqual([{ kind: 'fact', text: 'é " 決' }])
    expect(groups.slice(1).map(({ facts }) => facts.length)).toEqual(Array(6).fill(2_000))
    expect(groups[1]!.facts.map(({ n }) => (n as number) % 6)).toEqual(Array(2_000).fill(0))
  })

  test('deletes its folder when it is closed', () => {
    const folders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('reconcile-'))
    const before = new Set(folders())
    const spool = new SqliteSpool()
    const own = folders().filter((name) => !before.has(name))
    expect(own.length).toBeGreaterThan(0)
    spool.close()
    expect(own.some((name) => !existsSync(`${tmpdir()}/${name}`))).toBe(true)
  })
})
