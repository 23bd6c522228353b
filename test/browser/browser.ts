import type { Browser } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launchBrowser } from './browser-launch.ts'
import { openTab, type Tab, type TabOptions } from './browser-tab.ts'

/** Opens tabs of the browser of a test file. */
export type OpenTab = (options?: TabOptions) => Promise<Tab>

/**
 * Gives the tests of a file a real browser, started once. After each test none of its tabs may have met anything amiss.
 * Where no browser can start the tests are skipped, but in CI they fail.
 */
export function useBrowser(): OpenTab {
  let browser: Browser | undefined
  let used: { key: string; tab: Tab }[] = []
  const free = new Map<string, Tab[]>()

  beforeAll(async () => {
    browser = await launchBrowser().catch(unavailable)
  })
  beforeEach((context) => {
    if (!browser) context.skip(SKIPPED)
  })
  afterEach(async () => {
    const after = used
    used = []
    const complaints = after.flatMap(({ tab }) => tab.complaints)
    // Our pages keep nothing in a browser, so that a tab can serve again: to open one takes longer than most tests.
    await Promise.all(after.map(({ tab }) => tab.reset()))
    for (const { key, tab } of after) free.set(key, [...(free.get(key) ?? []), tab])
    expect(complaints).toEqual([])
  })
  afterAll(async () => {
    await browser?.close()
  })

  return async (options) => {
    const key = JSON.stringify(options ?? {})
    const tab = free.get(key)?.pop() ?? (await openTab(browser!, options))
    used.push({ key, tab })
    return tab
  }
}

const SKIPPED = 'The tests of the pages are skipped, since no browser can start on this machine.'
let said = false

function unavailable(error: unknown): undefined {
  if (process.env.CI) throw error
  if (!said) console.warn(SKIPPED)
  said = true
}
