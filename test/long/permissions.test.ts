import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { queuesOf, rarely_used_access, tableAccessOf } from '#infra/access/access-policies.ts'
import { table_ways } from '#infra/access/table-access.ts'
import { table_access_list } from '#infra/access/table-access-list.ts'
import { backgroundFiles } from '#shared/background.ts'
import { servedPages, servedRoutes } from '#shared/routes.ts'
import { due_kinds } from '#shared/store/keys.ts'
import type { Api } from '#test/fixtures/api.ts'
import { useEverything } from '#test/long/recorded-flows.ts'
import { openRecorded, type Seen } from '#test/long/recorded-service.ts'

let api: Api
let seen: Seen
beforeAll(async () => {
  const service = await openRecorded()
  api = service.api
  seen = service.seen
  await useEverything(api)
}, 300_000)
afterAll(() => api?.close())

const files = Object.keys(table_access_list)

/** What every function uses, a line for each of its ways. */
const table = () =>
  files.flatMap((file) => {
    const use = tableAccessOf(file)
    const ways = table_ways.flatMap((way) => (use[way] ? `  ${way.padEnd(8)} ${use[way].join(' ')}` : []))
    const queues = queuesOf(file)
    return [file, ...ways, ...(queues.length > 0 ? [`  sends    ${queues.join(' ')}`] : [])]
  })

/** What the table says of a function, in the lines that are seen of it. */
function told(file: string): string[] {
  const use = tableAccessOf(file)
  const ways = table_ways.flatMap((way) => (use[way] ?? []).map((kind) => `${way} ${kind}`))
  return [...ways, ...queuesOf(file).map((queue) => `sends ${queue}`)].map((use) => `${file} ${use}`)
}

const inTableOrder = (one: string, other: string): number => files.indexOf(one) - files.indexOf(other)

const seenOf = (file: string): string[] =>
  [...seen].filter((use) => use.startsWith(`${file} `) && !use.includes(' dues '))

describe('what a function may do', () => {
  test('can be read by who reviews it', () => {
    console.info(table().join('\n'))
    expect(table().filter((line) => !line.startsWith(' '))).toEqual(
      [...servedRoutes(), ...servedPages()]
        .map(({ file }) => file)
        .concat(backgroundFiles)
        .toSorted(inTableOrder),
    )
  })

  const excused = new Set(rarely_used_access.flatMap(({ uses }) => uses))

  test('is missing nothing of what it was seen to do', () => {
    const missing = files.flatMap((file) => {
      const may = new Set(told(file))
      return seenOf(file).filter((use) => !may.has(use))
    })
    expect(missing).toEqual([])
  })

  test('is nothing that it was not seen to do, but for what has a reason', () => {
    const extra = files.flatMap((file) => {
      const did = new Set(seenOf(file))
      return told(file).filter((use) => !did.has(use))
    })
    // Whatever can fall due within a minute may be sent, and when that is so depends on the time of a request.
    expect(extra.filter((use) => !excused.has(use) && !use.includes(' sends ')).sort()).toEqual([])
    expect([...excused].filter((use) => !extra.includes(use))).toEqual([])
  })

  test('is to see what falls due for the sweep alone', () => {
    const seeing = [...seen].filter((use) => use.includes(' dues '))
    expect(seeing.sort()).toEqual(due_kinds.map((kind) => `background/sweep dues due#${kind}`).sort())
  })

  test('is, of the cards and the secrets of others, nothing for who delivers', () => {
    expect(told('background/deliver').map((use) => use.slice('background/deliver '.length))).toEqual([
      'gets delivery',
      'gets event',
      'gets merchant',
      'gets payment',
      'gets webhook',
      'puts delivery',
      'puts list#delivery',
      'sends deliveries',
    ])
  })
})
