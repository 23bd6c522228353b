import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { useBrowser } from '#test/browser/browser.ts'
import { openShop, type Shop } from '#test/browser/browser-shop.ts'
import type { Tab } from '#test/browser/browser-tab.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

/** These tests open a page of another site in a browser on a machine where a local run serves. */

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

/** Waits until the browser has recorded exactly this number of 403 responses. */
async function expectForbidden(tab: Tab, refusals: number): Promise<void> {
  const complaint = expect.stringContaining('403 (Forbidden)')
  await expect.poll(() => tab.complaints).toEqual(Array.from({ length: refusals }, () => complaint))
  tab.complaints.length = 0
}

/** Scripts with requests that a page can send to another site without a CORS preflight. */
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
  test.each(scripts)('cannot advance the clock or create a merchant by %s', async (_, script) => {
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
    await expectForbidden(tab, 2)
  })

  test('cannot create a merchant by submitting a form', async () => {
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

  test('gets no access through a host name that resolves to this machine', async () => {
    const before = merchants()
    const tab = await openTab()
    // A browser resolves every name below localhost to this machine. Such a name stands for a foreign name whose owner
    // lets it resolve to 127.0.0.1 (DNS rebinding).
    const { port } = new URL(api.url)
    expect(await tab.visit(`http://rebound.localhost:${port}/`)).toBe(404)
    const status = `fetch('/_local/merchants', { method: 'POST' }).then((response) => response.status)`
    expect(await tab.page.evaluate(status)).toBe(403)
    await expectForbidden(tab, 1)
    expect(merchants()).toBe(before)
  })

  test('can link to a file, as with S3', async () => {
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

test('a page of the service itself can use /_local', async () => {
  const tab = await openTab()
  await tab.visit(`${api.url}/_local/health`)
  const before = api.platform.clock.now()
  const turn = `fetch('/_local/clock', { method: 'POST', body: '{"advance":60}' }).then((response) => response.status)`
  expect(await tab.page.evaluate(turn)).toBe(200)
  expect(api.platform.clock.now()).toBe(before + 60_000)
})
