import type { Browser } from 'puppeteer-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest'
import { launchBrowser } from './browser-launch.ts'
import { type Network, useNetwork } from './browser-network.ts'
import { openTab, type Tab, type TabOptions } from './browser-tab.ts'

/** Opens a tab in the browser of a test file. */
export type OpenTab = (options?: TabOptions) => Promise<Tab>

/**
 * Gives the tests of a file a real browser, which starts once. After each test, its tabs must have recorded no
 * problems. If no browser can start, the tests are skipped, except in CI, where they fail.
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
    // Tabs are reused, because our pages store nothing in a browser and opening a tab takes longer than most tests.
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

/** Gives the tests of a file networks with faults, each between a tab and the service. They are closed after the test. */
export function useNetworks(): (tab: Tab) => Promise<Network> {
  const networks: Network[] = []
  afterEach(async () => {
    await Promise.all(networks.splice(0).map((network) => network.close()))
  })
  return async (tab) => {
    const network = await useNetwork(tab)
    networks.push(network)
    return network
  }
}

const SKIPPED = 'The browser tests are skipped because no browser can start on this machine.'
let warned = false

function unavailable(error: unknown): undefined {
  if (process.env.CI) throw error
  if (!warned) console.warn(SKIPPED)
  warned = true
}
