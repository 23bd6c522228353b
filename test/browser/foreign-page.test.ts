import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useBrowser } from '#test/browser/browser.ts'
import { openShop, type Shop } from '#test/browser/browser-shop.ts'
import type { Tab } from '#test/browser/browser-tab.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

/** A developer's browser is on a page of another site while a local run serves on the same machine. */

const openTab = useBrowser()
let api: Api
let shop: Shop
beforeAll(async () => {
  api = await openApi()
  shop = await openShop()
})
afterAll(async () => {
  await shop.close()
  await api.close()
})

const merchants = () => [...api.platform.table.items()].filter(({ sk }) => sk === 'merchant').length

/** Waits until the browser has complained of so many refusals, and of nothing else. */
async function complained(tab: Tab, refusals: number): Promise<void> {
  const complaint = expect.stringContaining('403 (Forbidden)')
  await expect.poll(() => tab.complaints).toEqual(Array.from({ length: refusals }, () => complaint))
  tab.complaints.length = 0
}

/** Requests that a page can send to another site without asking it, each as a script. */
const scripts: [string, string][] = [
  ['plain text', `fetch(URL, { method: 'POST', mode: 'no-cors', body: '{"advance":60}' })`],
  [
    'plain text without a referrer',
    `fetch(URL, { method: 'POST', mode: 'no-cors', referrerPolicy: 'no-referrer', body: '{"advance":60}' })`,
  ],
  ['a beacon', `navigator.sendBeacon(URL, '{"advance":60}')`],
  ['an empty POST', `fetch(URL, { method: 'POST', mode: 'no-cors' })`],
]

describe('a page of another site', () => {
  test.each(scripts)('neither turns the clock nor makes a merchant by %s', async (_, script) => {
    const tab = await openTab()
    await tab.visit(shop.url)
    const before = [api.platform.clock.now(), merchants()]
    for (const path of ['/_local/clock', '/_local/merchants']) {
      const url = JSON.stringify(api.url + path)
      const answered = tab.page.waitForResponse((response) => response.url() === api.url + path)
      await tab.page.evaluate(`void ${script.replace('URL', url)}`)
      expect((await answered).status()).toBe(403)
    }
    expect([api.platform.clock.now(), merchants()]).toEqual(before)
    await complained(tab, 2)
  })

  test('makes no merchant by a form that is sent', async () => {
    const before = merchants()
    shop.show(
      '/form',
      `<form method="post" enctype="text/plain" action="${api.url}/_local/merchants"><button>Win</button></form>`,
    )
    const tab = await openTab()
    await tab.visit(`${shop.url}/form`)
    expect(await tab.press('Win')).toBe(403)
    expect(merchants()).toBe(before)
  })

  test('learns nothing by a name that leads to this machine', async () => {
    const before = merchants()
    const tab = await openTab()
    // A browser takes every name below localhost for this machine, as it would a name whose owner says so.
    const { port } = new URL(api.url)
    expect(await tab.visit(`http://rebound.localhost:${port}/`)).toBe(404)
    const status = `fetch('/_local/merchants', { method: 'POST' }).then((response) => response.status)`
    expect(await tab.page.evaluate(status)).toBe(403)
    await complained(tab, 1)
    expect(merchants()).toBe(before)
  })

  test('may lead to a file by its link, as with S3', async () => {
    await api.platform.bucket.put('mer_1/fil_1', Buffer.from('a paper'))
    const options = { content_disposition: 'inline', content_type: 'text/plain', seconds: 300 }
    const link = await api.platform.bucket.link('mer_1/fil_1', options)
    shop.show('/link', `<a href="${(api.url + link).replaceAll('&', '&amp;')}">The paper</a>`)
    const tab = await openTab()
    await tab.visit(`${shop.url}/link`)
    expect(await tab.press('The paper')).toBe(200)
    expect(await tab.text()).toBe('a paper')
  })
})

test("a page of the server's own may use /_local", async () => {
  const tab = await openTab()
  await tab.visit(`${api.url}/_local/health`)
  const before = api.platform.clock.now()
  const turn = `fetch('/_local/clock', { method: 'POST', body: '{"advance":60}' }).then((response) => response.status)`
  expect(await tab.page.evaluate(turn)).toBe(200)
  expect(api.platform.clock.now()).toBe(before + 60_000)
})
