import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { entries } from '#shared/docs/entries.ts'
import { pathTo, type Site } from '#shared/docs/site.ts'
import { useBrowser } from '#test/browser/browser.ts'
import { desktop, phone, type Tab } from '#test/browser/browser-tab.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** The narrowest phone that pages are made for. */
const narrow = { ...phone, width: 360, deviceScaleFactor: 1 }

const openTab = useBrowser()
let api: Api
let site: Site
beforeAll(async () => {
  api = await openApi()
  site = { base_url: api.url, statusOf: () => 400 }
})
afterAll(() => api.close())

const url = (page: string) => api.url + pathTo(site, page)

/** The addresses of every page, of results of a search, and of a page that does not exist. */
const addresses = (): string[] => [
  ...entries().map(({ page, language }) => api.url + pathTo(site, page, language)),
  `${url('search')}?q=refund`,
  `${url('search')}?q=xyzzy`,
  url('nothing'),
]

/** The violations that axe finds on the page, one line each. */
async function violations({ page }: Tab, rules?: readonly string[]): Promise<string[]> {
  const options = { preload: false, resultTypes: ['violations'], ...(rules && { runOnly: rules }) }
  return (await page.evaluate(`axe.run(document, ${JSON.stringify(options)}).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ target, failureSummary }) =>
      id + ' at ' + target.join(' ') + ': ' + failureSummary)))`)) as string[]
}

const isWiderThanScreen = async ({ page }: Tab): Promise<boolean> =>
  ((await page.evaluate('document.documentElement.scrollWidth')) as number) > page.viewport()!.width

const scheme = (value: 'light' | 'dark') => [
  { name: 'prefers-reduced-motion', value: 'reduce' },
  { name: 'prefers-color-scheme', value },
]

describe.each([
  ['a phone', narrow],
  ['a desktop', desktop],
])('the documentation on %s', (_, viewport) => {
  test('has no accessibility violations, fits the screen and asks no other site', async () => {
    const tab = await openTab({ viewport })
    const wrong: string[] = []
    for (const address of addresses()) {
      await tab.page.emulateMediaFeatures(scheme('light'))
      expect([200, 404]).toContain(await tab.visit(address))
      if (await isWiderThanScreen(tab)) wrong.push(`${address} is wider than the screen`)
      await tab.page.evaluate(axe)
      for (const violation of await violations(tab)) wrong.push(`${address}: ${violation}`)
      await tab.unfoldAll()
      if (await isWiderThanScreen(tab)) wrong.push(`${address} is wider than the screen when unfolded`)
      await tab.page.emulateMediaFeatures(scheme('dark'))
      for (const violation of await violations(tab, ['color-contrast'])) wrong.push(`${address}, dark: ${violation}`)
    }
    expect(wrong).toEqual([])
    expect(tab.requests.filter((request) => !request.url.startsWith(`${api.url}/`)).map((one) => one.url)).toEqual([])
  }, 300_000)
})

describe.each([
  ['with JavaScript', true],
  ['without JavaScript', false],
])('a developer %s', (_, javascript) => {
  test('searches, and reads the first result', async () => {
    const tab = await openTab({ javascript })
    await tab.visit(url('events'))
    await tab.fill('Search the docs', 'card_expired')
    expect(await tab.press('Search')).toBe(200)
    expect(await tab.press('card_expired')).toBe(200)
    expect(tab.page.url()).toBe(`${url('errors')}#card_expired`)
  })

  test('changes the language of a sample', async () => {
    const tab = await openTab({ javascript })
    await tab.visit(url('refunds'))
    expect(await tab.text()).toContain('-u "$SECRET_KEY:"')
    const [first] = (await tab.elements()).filter(({ role, name }) => role === 'radio' && name === 'TypeScript')
    expect(first).toBeDefined()
    await tab.page.focus('.sample input[value=shell]')
    await tab.page.keyboard.press('ArrowRight')
    expect(await tab.text()).toContain('await fetch(')
    if (javascript) expect(await tab.text()).not.toContain('-u "$SECRET_KEY:"')
  })

  test('opens the menu on a phone', async () => {
    const tab = await openTab({ javascript, viewport: narrow })
    await tab.visit(url('events'))
    expect(await tab.has('Changelog', /^link$/)).toBe(false)
    await tab.unfold('Menu')
    expect(await tab.press('Changelog')).toBe(200)
    expect(tab.page.url()).toBe(url('changelog'))
  })
})

describe('the script of the documentation', () => {
  test('remembers the language of samples', async () => {
    const tab = await openTab()
    await tab.visit(url('refunds'))
    await tab.page.focus('.sample input[value=shell]')
    await tab.page.keyboard.press('ArrowRight')
    await tab.visit(url('reference/payments'))
    expect(await tab.text()).toContain('await fetch(')
    await tab.page.evaluate('localStorage.clear()')
  })

  test('copies the sample that is shown', async () => {
    const tab = await openTab()
    const context = tab.page.browserContext()
    await context.overridePermissions(api.url, ['clipboard-read', 'clipboard-write', 'clipboard-sanitized-write'])
    await tab.visit(url('refunds'))
    await tab.page.click('.sample .copy')
    await tab.page.waitForFunction('document.querySelector(".copy").textContent === "Copied"')
    const shown = await tab.page.evaluate('document.querySelector(".sample pre").textContent')
    expect(await tab.page.evaluate('navigator.clipboard.readText()')).toBe(shown)
  })

  test('opens what an address leads to', async () => {
    const tab = await openTab()
    await tab.visit(`${url('events')}#payment.captured`)
    expect(await tab.text()).toContain('payment.captured')
  })
})

test('a printed page shows all text of the article and no menu', async () => {
  const tab = await openTab()
  await tab.visit(url('events'))
  await tab.page.emulateMediaType('print')
  const text = await tab.text()
  expect(text).toContain('Retry schedule')
  expect(await tab.has('Changelog', /^link$/)).toBe(false)
  await tab.page.emulateMediaType()
})
