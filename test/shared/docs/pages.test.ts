import { beforeAll, describe, expect, test } from 'vitest'
import { refusedCodes } from '#shared/docs/endpoint-errors.ts'
import { entries } from '#shared/docs/entries.ts'
import { resources } from '#shared/docs/resources.ts'
import { error_codes } from '#shared/domain/errors.ts'
import { event_types } from '#shared/domain/event.ts'
import { event_list_types } from '#shared/domain/webhook.ts'
import { servedRoutes } from '#shared/routes.ts'
import { everyPage, plain, type ShownPage, staged } from './site.ts'

/** The sites that guides link to. */
const other_sites = ['https://www.standardwebhooks.com']

/** The most bytes of a page, with its style sheet and its script. */
const PAGE_BYTES_MAX = 60 * 1024

describe.each([
  ['behind a stage', staged, '/prod'],
  ['at the top of a host', plain, ''],
])('the documentation %s', (_, site, prefix) => {
  let pages: ShownPage[]
  let anchors: Map<string, Set<string>>
  beforeAll(async () => {
    pages = await everyPage(site)
    anchors = new Map(pages.map(({ path, html }) => [path, new Set(idsIn(html))]))
  })

  test('has no link that leads nowhere', () => {
    const broken = pages.flatMap(({ path, html }) =>
      linksIn(html)
        .map((link) => new URL(link, new URL(path, site.base_url)))
        .filter(({ origin, pathname, hash }) => {
          if (origin !== new URL(site.base_url).origin) return !other_sites.includes(origin)
          if (pathname === `${prefix}/api/v1/openapi.json`) return false
          const own = anchors.get(pathname)
          return !own || (hash !== '' && !own.has(decodeURIComponent(hash.slice(1))))
        })
        .map(({ href }) => `${path} links to ${href}`),
    )
    expect(broken).toEqual([])
  })

  test('has pages of at most 60 KB', () => {
    const large = pages.map(({ path, html }) => [path, Buffer.byteLength(html)] as const)
    expect(large.filter(([, bytes]) => bytes > PAGE_BYTES_MAX)).toEqual([])
  })

  test('loads no other file', () => {
    for (const { path, html } of pages) {
      expect(html, path).not.toMatch(
        /<(?:img|iframe|object|embed|audio|video|base)\b|\s(?:src|srcset|style)=|@import|url\(/,
      )
      expect(html.match(/<link\b[^>]*>/g)?.filter((link) => !link.includes('rel="alternate"')) ?? [], path).toEqual([])
    }
  })

  test('has unique anchors and one title on each page, and no title twice', () => {
    for (const { path, html } of pages) {
      const ids = idsIn(html)
      expect(
        ids.filter((id, at) => ids.indexOf(id) !== at),
        path,
      ).toEqual([])
      expect(html.match(/<h1>/g), path).toHaveLength(1)
    }
    const titles = pages.map(({ html }) => /<title>(.*?)<\/title>/.exec(html)![1]!)
    const own = titles.filter((title) => !/^(?:Search|検索) \|/.test(title))
    expect(own.filter((title, at) => own.indexOf(title) !== at)).toEqual([])
  })

  test('shows no undefined value, object or placeholder as text', () => {
    for (const { path, html } of pages)
      expect(html.replace(/<(script|style|pre)\b.*?<\/\1>/gs, ''), path).not.toMatch(
        /\bundefined\b|\[object|\{base_url\}|NaN|Promise\b.*pending/,
      )
  })
})

describe('the reference', () => {
  test('has every endpoint on one page', () => {
    const described = resources().flatMap(({ endpoints }) => endpoints.map(({ method, path }) => `${method} ${path}`))
    expect(described.sort()).toEqual(
      servedRoutes()
        .map(({ route }) => route.replace(/:(\w+)/g, '{$1}'))
        .sort(),
    )
  })

  test('names the error codes of every endpoint', () => {
    const without = resources().flatMap(({ endpoints }) => endpoints.filter((one) => refusedCodes(one).length === 0))
    expect(without.map(({ method, path }) => `${method} ${path}`)).toEqual([])
  })
})

test('a list of error codes is a sentence, also where an endpoint has no code of its own', async () => {
  const lists = (await everyPage(plain)).flatMap(({ html }) => html.match(/<p class="codes">.*?<\/p>/g) ?? [])
  const ends = lists.map((list) => list.replaceAll(/<[^>]*>/g, '')).filter((text) => text.endsWith('of every endpoint'))
  expect(ends.length).toBeGreaterThan(50)
  for (const text of ends) expect(text).toMatch(/^Those of every|^[a-z_]+ .*and those of every/)
})

describe('the lists', () => {
  const pageOf = async (page: string) =>
    (await everyPage(staged)).find(({ path }) => path === `/prod/docs/${page}`)!.html

  test('have an entry for every error code', async () => {
    const ids = idsIn(await pageOf('errors'))
    expect(error_codes.filter((code) => !ids.includes(code))).toEqual([])
  })

  test('have an entry with a payload for every event type', async () => {
    const html = await pageOf('events')
    const ids = idsIn(html)
    expect(event_list_types.filter((type) => !ids.includes(type))).toEqual([])
    for (const type of event_types)
      expect(html).toMatch(new RegExp(`"type": "${RegExp.escape(type)}"|The payload is that of`))
  })

  test('show the retry schedule as a chart with a text, and as a table', async () => {
    const html = await pageOf('events')
    expect(html).toMatch(/<svg [^>]*role="img" aria-labelledby="chart-title chart-text"><title id="chart-title">/)
    expect(html.match(/<circle /g)).toHaveLength(26)
    expect(html).toContain('<td class="number">4 d 4 h</td><td class="number">25 d</td>')
  })

  test('are pages of the documentation', () => {
    expect(entries().map(({ page }) => page)).toEqual(
      expect.arrayContaining(['errors', 'events', 'changelog', 'reference']),
    )
  })
})

const idsIn = (html: string): string[] => Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id]) => id!)

const linksIn = (html: string): string[] =>
  Array.from(html.matchAll(/\s(?:href|action)="([^"]*)"/g), ([, link]) => link!.replaceAll('&amp;', '&'))
