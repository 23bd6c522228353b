import type { Browser } from 'puppeteer-core'
import { locales } from '#shared/domain/session.ts'
import { launchBrowser } from '#test/browser/browser-launch.ts'
import { measuresOf, type PageMeasures, recordShifts } from '#test/browser/browser-performance.ts'
import { openShop } from '#test/browser/browser-shop.ts'
import { openTab, phone } from '#test/browser/browser-tab.ts'
import { openSession } from '#test/browser/browsing.ts'
import { type Api, openApi } from '#test/fixtures/api.ts'
import { heading, mark, median, note, table } from './report.ts'

/** A phone of the lower price range in a mobile network, as Lighthouse simulates it. */
const CPU_SLOWDOWN = 4
const LATENCY_MS = 150
const DOWNLOAD_BITS_PER_SECOND = 1_600_000
const UPLOAD_BITS_PER_SECOND = 750_000

const KILOBYTES_AT_MOST = 45
const FIRST_PAINT_MS_AT_MOST = 1800
const ROUNDS = 5

/** Measures the load of a session's page in a headless browser that is as slow as a phone in a mobile network. */
export async function pageLoadsBench(): Promise<void> {
  heading('Loads of the session page')
  note(
    `Headless Chromium, ${CPU_SLOWDOWN} times slower, ${DOWNLOAD_BITS_PER_SECOND / 1e6} Mbit/s, ${LATENCY_MS} ms latency, with an empty cache; the median of ${ROUNDS} loads.`,
    'Requests: all of a load. Shift: the sum of all layout shifts, also after a card is typed. First paint: the first text,',
    'with the limit that web.dev calls good. The ratio is to a page of one word under the same conditions.',
  )
  const browser = await launchBrowser().catch(() => undefined)
  if (!browser) return note('No browser can start on this machine, so these figures are missing.')
  const [api, shop] = await Promise.all([openApi(), openShop()])
  try {
    shop.show('/word', '<p>Hello</p>')
    const beside = await loadsOf(browser, `${shop.url}/word`)
    const rows: (string | number)[][] = []
    const moved = new Set<string>()
    for (const [name, url] of Object.entries(await pagesOf(api))) {
      const loads = await loadsOf(browser, url)
      for (const part of loads.flatMap((each) => each.moved)) moved.add(part)
      rows.push([name, ...cells(loads, beside)])
    }
    table(['page', 'requests', 'aim', 'shift', 'aim', 'KB', 'aim', 'first paint ms', 'aim', 'ratio'], rows)
    if (moved.size > 0) note('These parts moved:', ...moved)
  } finally {
    await Promise.all([api.close(), shop.close(), browser.close()])
  }
}

async function pagesOf(api: Api): Promise<Record<string, string>> {
  const line_items = Array.from({ length: 40 }, (_, at) => ({ description: `Article ${at + 1}`, amount: 25 }))
  const pages: Record<string, string> = {}
  for (const default_locale of locales)
    pages[`session in ${default_locale}, all methods`] = (await openSession(api, { default_locale })).session_url
  pages['session, 40 items'] = (await openSession(api, { line_items })).session_url
  pages['session, card'] = (await openSession(api, { payment_types: ['credit_card'] })).session_url
  return pages
}

/** The measures of a load, with the number of its requests. */
type Load = PageMeasures & { readonly requests: number }

async function loadsOf(browser: Browser, url: string): Promise<Load[]> {
  const loads: Load[] = []
  for (let round = 0; round < ROUNDS; round++) loads.push(await load(browser, url))
  return loads
}

async function load(browser: Browser, url: string): Promise<Load> {
  const { page, requests, close } = await openTab(browser, { viewport: phone })
  await recordShifts(page)
  await page.emulateCPUThrottling(CPU_SLOWDOWN)
  const [download, upload] = [DOWNLOAD_BITS_PER_SECOND / 8, UPLOAD_BITS_PER_SECOND / 8]
  await page.emulateNetworkConditions({ latency: LATENCY_MS, download, upload })
  await page.goto(url)
  const field = await page.$('[autocomplete=cc-number]')
  await field?.type('4111111111111111')
  const measures = await measuresOf(page)
  await close()
  return { ...measures, requests: requests.length }
}

function cells(loads: readonly Load[], beside: readonly Load[]): (string | number)[] {
  const most = (measure: 'requests' | 'layout_shift' | 'bytes') => Math.max(...loads.map((each) => each[measure]))
  const first_paint_ms = (all: readonly Load[]) => median(all.map((each) => each.first_paint_ms))
  const [paint, kilobytes] = [first_paint_ms(loads), most('bytes') / 1024]
  return [
    ...[most('requests'), mark({ value: most('requests'), at_most: 1 })],
    ...[most('layout_shift').toFixed(4), mark({ value: most('layout_shift'), at_most: 0 })],
    ...[kilobytes.toFixed(1), mark({ value: kilobytes, at_most: KILOBYTES_AT_MOST })],
    ...[paint.toFixed(0), mark({ value: paint, at_most: FIRST_PAINT_MS_AT_MOST })],
    (paint / first_paint_ms(beside)).toFixed(2),
  ]
}
