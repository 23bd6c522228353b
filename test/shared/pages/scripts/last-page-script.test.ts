import { once } from 'node:events'
import { createContext, Script } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { remainingTime } from '#shared/pages/last-pages/remaining-time.ts'
import { copy_script, countdown_script, watch_script } from '#shared/pages/scripts/last-page-script.ts'

/** A browser without a page: timers that the test runs, a clock that the test sets, and listeners that it calls. */
class FakeBrowser {
  now = 0
  /** The milliseconds by which the clock of the browser is fast. */
  clock_error = 0
  timers: { readonly at: number; readonly run: () => unknown }[] = []
  readonly listeners = new Map<string, (event: object) => unknown>()
  readonly document: Record<string, unknown> = {
    documentElement: { lang: 'en' },
    hidden: false,
    querySelector: () => null,
    querySelectorAll: () => [],
    addEventListener: (type: string, listen: () => unknown) => this.listeners.set(type, listen),
  }

  run(script: string, globals: object): void {
    const { timers } = this
    new Script(script).runInContext(
      createContext({
        document: this.document,
        Date: { now: () => this.now + this.clock_error },
        performance: { now: () => this.now },
        AbortController,
        Event,
        addEventListener: (type: string, listen: () => unknown) => this.listeners.set(type, listen),
        setTimeout: (run: () => unknown, wait = 0) => timers.push({ at: this.now + wait, run }),
        clearTimeout: (id?: number) => {
          if (id) timers[id - 1] = { at: Number.NaN, run: () => undefined }
        },
        ...globals,
      }),
    )
  }

  /** Runs the next timer at its time. Returns how long it waited, or undefined if there is none. */
  async next(): Promise<number | undefined> {
    const index = this.timers.findIndex(({ at }) => at >= this.now)
    if (index < 0) return undefined
    const { at, run } = this.timers[index]!
    this.timers[index] = { at: Number.NaN, run }
    const waited = at - this.now
    this.now = at
    await run()
    return waited
  }
}

describe.each(Object.entries({ countdown_script, copy_script, watch_script }))('%s', (_name, script) => {
  test('is valid and safe to embed', () => {
    expect(() => new Script(script)).not.toThrow()
    expect(script).not.toMatch(/<\/|<!--|https?:|XMLHttpRequest|import|eval|innerHTML|Storage|cookie/)
  })

  test('does nothing on a page without its elements', () => {
    const navigator = { clipboard: {} }
    const browser = new FakeBrowser()
    browser.run(script, { navigator, matchMedia: () => ({ matches: false }), location: {} })
    expect(browser.timers).toEqual([])
  })

  test('runs after another script that ends without a semicolon', () => {
    const globals = { navigator: { clipboard: {} }, matchMedia: () => ({ matches: false }), location: {} }
    expect(() => new FakeBrowser().run(`(() => {})()\n${script}${script}`, globals)).not.toThrow()
  })
})

describe('countdown_script', () => {
  function counting(seconds: number, { lang = 'en', less_motion = false } = {}) {
    const shown = {
      dataset: { countdown: String(seconds), left: '{} left', over: 'over' },
      textContent: '',
      correct: (): void => {},
      addEventListener: (_type: string, listen: () => void) => {
        shown.correct = listen
      },
    }
    const browser = new FakeBrowser()
    browser.document.documentElement = { lang }
    browser.document.querySelectorAll = () => [shown]
    browser.run(countdown_script, { matchMedia: () => ({ matches: less_motion }) })
    return { shown, browser }
  }

  test.each(locales)('in %s writes every time as the server does, if the customer wants less motion', (lang) => {
    const lengths = [1, 59, 60, 61, 3599, 3600, 3661, 86_399, 86_400, 90_000, 259_200]
    for (const seconds of [...lengths, ...Array.from({ length: 200 }, (_, at) => 1 + at * 1237)])
      expect(counting(seconds, { lang, less_motion: true }).shown.textContent).toBe(
        `${remainingTime(seconds, lang)} left`,
      )
  })

  test('changes every minute, in the last hour every second, and ends at the deadline', async () => {
    const { shown, browser } = counting(3661)
    expect(shown.textContent).toBe('1 hour 1 minute left')
    expect(await browser.next()).toBe(1000)
    expect(shown.textContent).toBe('1 hour 1 minute left')
    expect(await browser.next()).toBe(60_000)
    expect(shown.textContent).toBe('1 hour left')
    expect(await browser.next()).toBe(1000)
    expect(shown.textContent).toBe('59 minutes 59 seconds left')
    browser.now = 3_661_000
    await browser.timers.at(-1)!.run()
    expect(shown.textContent).toBe('over')
    expect(browser.timers).toHaveLength(4)
  })

  test('changes every minute for customers who want less motion', async () => {
    const { shown, browser } = counting(125, { less_motion: true })
    const seen = [shown.textContent]
    for (let wait = await browser.next(); wait !== undefined; wait = await browser.next())
      seen.push(`${wait / 1000}: ${shown.textContent}`)
    expect(seen).toEqual(['2 minutes left', '5: 2 minutes left', '60: 1 minute left', '60: over'])
  })

  test('starts from the seconds of the page, whatever the clock of the browser says', () => {
    const { shown } = counting(120)
    expect(shown.textContent).toBe('2 minutes left')
  })

  test('starts again from corrected seconds, and keeps one timer', async () => {
    const { shown, browser } = counting(7200)
    browser.clock_error = 86_400_000
    await browser.next()
    expect(shown.textContent).toBe('over')
    shown.dataset.countdown = '7140'
    shown.correct()
    shown.correct()
    expect(shown.textContent).toBe('1 hour 59 minutes left')
    await browser.next()
    expect(shown.textContent).toBe('1 hour 58 minutes left')
    expect(browser.timers.filter(({ at }) => at > browser.now)).toHaveLength(1)
  })
})

describe('watch_script', () => {
  /** A page in the state `waiting`. The states of the answers come from `answers`; a number is an HTTP status. */
  function watching(answers: (string | number | null)[], dataset: object = {}) {
    const browser = new FakeBrowser()
    const update = {
      hidden: true,
      dataset: {} as { countdown?: string },
      corrections: 0,
      dispatchEvent: () => update.corrections++,
    }
    let reloads = 0
    let looks = 0
    browser.document.querySelector = () => ({ dataset: { state: 'waiting', ...dataset } })
    browser.document.querySelectorAll = () => [update]
    browser.run(watch_script, {
      location: { href: '/page', reload: () => reloads++ },
      fetch: async (url: string, { signal }: { signal: AbortSignal }) => {
        expect(url).toBe('/page')
        looks++
        const answer = answers.length > 0 ? answers.shift()! : 'waiting'
        if (answer === 'offline') throw new TypeError('offline')
        if (answer === 'silence') throw await once(signal, 'abort')
        const state = answer === null ? '' : ` data-state="${answer}"`
        const own = answer === 'portal' ? '' : '<body data-processing="…">'
        const text = `${own}<p>&quot; data-state=&quot;x</p><div${state}><span data-countdown="${60 - looks}">`
        return { ok: typeof answer !== 'number', text: async () => text }
      },
    })
    return { browser, update, counts: () => ({ looks, reloads }) }
  }

  test('looks after 3 seconds, and then after growing waits of up to a minute', async () => {
    const { browser, counts, update } = watching([])
    expect(update.hidden).toBe(false)
    const waits: number[] = []
    for (let look = 0; look < 10; look++) waits.push((await browser.next())! / 1000)
    expect(waits.slice(0, 3)).toEqual([3, 4.5, 6.75])
    expect(waits.slice(-2)).toEqual([60, 60])
    expect(counts()).toEqual({ looks: 10, reloads: 0 })
  })

  test.each([
    ['another state', 'paid'],
    ['a page without a state', null],
  ])('loads the page again once it has %s, and looks no further', async (_what, state) => {
    const { browser, counts } = watching(['waiting', state])
    await browser.next()
    expect(counts()).toEqual({ looks: 1, reloads: 0 })
    await browser.next()
    expect(counts()).toEqual({ looks: 2, reloads: 1 })
    expect(await browser.next()).toBeUndefined()
  })

  test('goes on after an error, a refusal and a lost connection', async () => {
    const { browser, counts } = watching([500, 429, 'offline', 'paid'])
    for (let look = 0; look < 4; look++) await browser.next()
    expect(counts()).toEqual({ looks: 4, reloads: 1 })
  })

  test('rests while the page is hidden, and looks at once when it is visible or online again', async () => {
    const { browser, counts } = watching(['waiting', 'waiting', 'paid'])
    browser.document.hidden = true
    await browser.next()
    expect(counts().looks).toBe(0)
    expect(await browser.next()).toBeUndefined()
    browser.document.hidden = false
    await browser.listeners.get('visibilitychange')!({})
    expect(counts().looks).toBe(1)
    await browser.listeners.get('online')!({})
    expect(counts().looks).toBe(2)
    await browser.listeners.get('pageshow')!({ persisted: false })
    expect(counts().looks).toBe(2)
    await browser.listeners.get('pageshow')!({ persisted: true })
    expect(counts()).toEqual({ looks: 3, reloads: 1 })
  })

  test('does not load the page again because of a page of a proxy', async () => {
    const { browser, counts } = watching(['portal', 'portal', 'paid'])
    for (let look = 0; look < 3; look++) await browser.next()
    expect(counts()).toEqual({ looks: 3, reloads: 1 })
  })

  test('makes fewer than 400 looks in a day, and looks every minute again for a customer who comes back', async () => {
    const { browser, counts } = watching([])
    const DAY_MS = 86_400_000
    while (browser.now < DAY_MS) await browser.next()
    expect(counts().looks).toBeGreaterThan(300)
    expect(counts().looks).toBeLessThan(400)
    expect(await browser.next()).toBe(300_000)
    await browser.listeners.get('visibilitychange')!({})
    expect(await browser.next()).toBe(60_000)
    expect(await browser.next()).toBe(60_000)
  })

  test('corrects the remaining time, whatever happens to the clock of the browser', async () => {
    const { browser, counts, update } = watching([], { seconds: '600' })
    for (const clock_error of [-86_400_000, 0, 86_400_000]) {
      browser.clock_error = clock_error
      await browser.next()
    }
    expect(counts()).toEqual({ looks: 3, reloads: 0 })
    expect([update.dataset.countdown, update.corrections]).toEqual(['57', 3])
  })

  test('gives up a look that gets no response after 20 seconds', async () => {
    const { browser, counts } = watching(['silence', 'paid'])
    const look = browser.next()
    expect(await browser.next()).toBe(20_000)
    await look
    await browser.next()
    expect(counts()).toEqual({ looks: 2, reloads: 1 })
  })

  test('stops after the seconds that the page states', async () => {
    const { browser, counts } = watching([], { seconds: '10' })
    let looks = 0
    while ((await browser.next()) !== undefined) looks++
    expect(counts().looks).toBeLessThanOrEqual(looks)
    expect(counts().looks).toBe(2)
    expect(browser.now).toBeLessThan(20_000)
  })
})

describe('copy_script', () => {
  function copying(writeText: (text: string) => Promise<void>) {
    const browser = new FakeBrowser()
    const value = { textContent: '80012345678' }
    const announced = { textContent: '' }
    const classes = new Set<string>()
    let click: () => Promise<void> = async () => undefined
    const button = {
      hidden: true,
      dataset: { copied: 'Copied: Receipt number' },
      classList: { add: (name: string) => classes.add(name), remove: (name: string) => classes.delete(name) },
      closest: () => ({ querySelector: () => value }),
      addEventListener: (_type: string, listen: () => Promise<void>) => {
        click = listen
      },
    }
    const selected: unknown[] = []
    browser.document.querySelector = () => announced
    browser.document.querySelectorAll = () => [button]
    const getSelection = () => ({ selectAllChildren: (each: unknown) => selected.push(each) })
    browser.run(copy_script, { navigator: { clipboard: { writeText } }, getSelection })
    return { browser, button, announced, classes, selected, value, click: () => click() }
  }

  test('shows the button, copies the number, and announces it', async () => {
    const copied: string[] = []
    const page = copying(async (text) => void copied.push(text))
    expect(page.button.hidden).toBe(false)
    await page.click()
    expect(copied).toEqual(['80012345678'])
    expect(await page.browser.next()).toBe(0)
    expect(page.announced.textContent).toBe('Copied: Receipt number')
    expect([...page.classes]).toEqual(['copied'])
    expect(await page.browser.next()).toBe(2000)
    expect([...page.classes]).toEqual([])
  })

  test('selects the number if the browser does not allow to copy', async () => {
    const page = copying(() => Promise.reject(new Error('not allowed')))
    await page.click()
    expect(page.selected).toEqual([page.value])
    expect(page.announced.textContent).toBe('')
  })

  test('shows no button where the browser cannot copy', () => {
    const browser = new FakeBrowser()
    const button = { hidden: true }
    browser.document.querySelectorAll = () => [button]
    browser.run(copy_script, { navigator: {} })
    expect(button.hidden).toBe(true)
  })
})
