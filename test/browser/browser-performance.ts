import type { Page } from 'puppeteer-core'

/** What a browser measures of a page. Call `recordShifts` before the page is opened. */
export interface PageMeasures {
  /** Time from the start of the navigation to the first text or image. */
  readonly first_paint_ms: number
  /** Bytes of the HTML as sent. */
  readonly bytes: number
  /** Sum of all layout shifts so far. Unlike the metric CLS, it includes shifts right after input. */
  readonly layout_shift: number
  /** The HTML of each part that moved. */
  readonly moved: readonly string[]
}

/** Records every layout shift of the pages that `page` opens from now on. A second call changes nothing. */
export async function recordShifts(page: Page): Promise<void> {
  await page.evaluateOnNewDocument(`
    if (!globalThis.shifts) {
      globalThis.shifts = []
      new PerformanceObserver((list) => shifts.push(...list.getEntries().map(({ value, sources }) => ({
        value,
        moved: sources.map(({ node }) => (node?.outerHTML ?? node?.textContent ?? '').slice(0, 100)),
      })))).observe({ type: 'layout-shift', buffered: true })
    }`)
}

/** Returns the measures of the open page, including its latest frame. */
export async function measuresOf(page: Page): Promise<PageMeasures> {
  return (await page.evaluate(`(async () => {
    const paint = await new Promise((painted) => {
      const first = (list) => list.getEntriesByName('first-contentful-paint').forEach(painted)
      new PerformanceObserver(first).observe({ type: 'paint', buffered: true })
    })
    // The browser reports the shifts of a frame after the frame.
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame)
    await new Promise((done) => setTimeout(done))
    const [navigation] = performance.getEntriesByType('navigation')
    return {
      first_paint_ms: paint.startTime,
      bytes: navigation.encodedBodySize,
      layout_shift: shifts.reduce((sum, { value }) => sum + value, 0),
      moved: shifts.flatMap(({ moved }) => moved),
    }
  })()`)) as PageMeasures
}
