import type { Browser, CDPSession, HTTPResponse, Page, Viewport } from 'puppeteer-core'
import { clickOn, type Element, elementsOf, FIELDS, isNamed, typeInto } from './browser-elements.ts'
import { watched } from './browser-watch.ts'

/** The screen of a phone. */
export const phone: Viewport = { width: 390, height: 844, isMobile: true, hasTouch: true, deviceScaleFactor: 2 }

/** The screen of a desktop. */
export const desktop: Viewport = { width: 1280, height: 900 }

/** Options of a new tab. */
export interface TabOptions {
  /** Whether scripts run. Default: true. */
  readonly javascript?: boolean
  readonly viewport?: Viewport
}

/** A customer's browser tab, with cookies and storage of its own. */
export interface Tab {
  readonly page: Page
  /** Problems that a user does not see: violations of the content security policy, script errors and dialogs. */
  readonly complaints: string[]
  /** Every request that the tab made. */
  readonly requests: readonly { readonly url: string; readonly method: string }[]
  /** Opens a page and returns the HTTP status. */
  visit(url: string): Promise<number>
  /** Every visible element, in the order of the page. */
  elements(): Promise<Element[]>
  /**
   * The only element with this name that is a field or has one of these roles. Throws if there is none or more than
   * one.
   */
  find(name: string | RegExp, roles?: RegExp): Promise<Element>
  /** Whether there is an element with this name and role. */
  has(name: string | RegExp, roles?: RegExp): Promise<boolean>
  /** Replaces the text of the field with this label. */
  fill(label: string | RegExp, text: string): Promise<void>
  /** Replaces the text of several fields, each with its label. */
  fillAll(typed: readonly (readonly [RegExp, string])[]): Promise<void>
  /** Opens the disclosure with this name if it is closed. */
  unfold(name: string | RegExp): Promise<void>
  /** Opens all disclosures. */
  unfoldAll(): Promise<void>
  /** Selects a radio button. */
  choose(name: string | RegExp): Promise<void>
  /**
   * Clicks a button or a link, and waits for the next page or for the response that the page takes over. Returns the
   * HTTP status. If the page finds invalid fields itself and sends nothing, the status is 422.
   */
  press(name: string | RegExp): Promise<number>
  /** Waits for a page whose URL begins with `url`, also through redirects and refreshes. */
  arriveAt(url: string): Promise<void>
  /** The text of the page. */
  text(): Promise<string>
  /** Restores the initial state of the tab. */
  reset(): Promise<void>
  close(): Promise<void>
}

/** Opens a tab. */
export async function openTab(browser: Browser, options: TabOptions = {}): Promise<Tab> {
  const { javascript = true, viewport = desktop } = options
  const context = await browser.createBrowserContext()
  const page = await context.newPage()
  const devtools = await page.createCDPSession()
  const { complaints, requests } = await watched(page, devtools)
  await devtools.send('Accessibility.enable')
  await page.setViewport(viewport)
  await page.setJavaScriptEnabled(javascript)
  const view = readersOf(page, devtools)
  return {
    ...{
      page,
      complaints,
      requests,
      ...view,
      ...inputsOf(page, devtools, view),
      ...navigationOf(page, devtools, view),
    },
    async reset() {
      await page.goto('about:blank')
      await page.emulateMediaFeatures([])
      complaints.length = 0
      requests.length = 0
    },
    close: () => context.close(),
  }
}

/** The functions of a tab that read the page. */
function readersOf(page: Page, devtools: CDPSession) {
  const elements = () => elementsOf(devtools)
  const matching = async (name: string | RegExp, roles: RegExp) =>
    (await elements()).filter((each) => roles.test(each.role) && isNamed(each, name))
  return {
    elements,
    async find(name: string | RegExp, roles = FIELDS) {
      const found = await matching(name, roles)
      if (found.length === 1) return found[0]!
      const seen = (await elements()).map((each) => `${each.role} ${each.name}`).join('\n')
      throw new Error(
        `${found.length} elements have the name ${name} at ${page.url()}. The page has these elements:\n${seen}`,
      )
    },
    has: async (name: string | RegExp, roles = /./) => (await matching(name, roles)).length > 0,
    text: async () => (await page.evaluate('document.body.innerText')) as string,
  }
}

/** The functions of a tab that change the page. */
function inputsOf(page: Page, devtools: CDPSession, { find, elements }: Pick<Tab, 'find' | 'elements'>) {
  return {
    fill: async (label: string | RegExp, text: string) => typeInto(page, devtools, await find(label), text),
    async fillAll(typed: readonly (readonly [RegExp, string])[]) {
      const all = await elements()
      for (const [label, text] of typed) {
        const [field, another] = all.filter((each) => FIELDS.test(each.role) && isNamed(each, label))
        if (!field || another) throw new Error(`${label} is the label of no field, or of more than one`)
        await typeInto(page, devtools, field, text)
      }
    },
    async unfold(name: string | RegExp) {
      const folded = await find(name, /^DisclosureTriangle/)
      if (!folded.expanded) await clickOn(page, devtools, folded)
    },
    async unfoldAll() {
      await page.evaluate(UNFOLD_ALL)
    },
    choose: async (name: string | RegExp) => clickOn(page, devtools, await find(name, /^radio$/)),
  }
}

const UNFOLD_ALL = `for (const each of document.querySelectorAll('details')) {
  each.removeAttribute('name')
  each.open = true
}`

/** The functions of a tab that lead to another page. */
function navigationOf(page: Page, devtools: CDPSession, { find }: Pick<Tab, 'find'>) {
  let loaded = ''
  let loads = Promise.withResolvers<void>()
  page.on('load', () => {
    loaded = page.url()
    loads.resolve()
    loads = Promise.withResolvers()
  })
  return {
    async visit(url: string) {
      return (await page.goto(url))?.status() ?? 0
    },
    async press(name: string | RegExp) {
      const target = await find(name, /^(button|link)$/)
      loaded = ''
      const abort = new AbortController()
      const next = Promise.race([
        page.waitForNavigation({ signal: abort.signal }),
        takenOver(page, abort.signal),
      ]).catch(stopped(abort.signal))
      await clickOn(page, devtools, target)
      const status = (await isHeldBack(page)) ? 422 : ((await next)?.status() ?? 0)
      abort.abort()
      return status
    },
    async arriveAt(url: string) {
      while (!loaded.startsWith(url)) await loads.promise
    },
  }
}

/** Waits for a response that refuses a form, until the page has taken it over. */
async function takenOver(page: Page, signal: AbortSignal): Promise<HTTPResponse> {
  const refuses = (response: HTTPResponse) =>
    response.request().resourceType() === 'fetch' && [402, 422].includes(response.status())
  const response = await page.waitForResponse(refuses, { signal })
  await page.waitForSelector('main form button:not([aria-disabled])', { signal })
  return response
}

/** Whether the script of the page has moved the focus to an invalid field instead of sending the form. */
const isHeldBack = (page: Page): Promise<boolean> =>
  // A page that goes away while the question is asked has sent the form.
  page
    .evaluate(`document.activeElement?.matches('[aria-invalid], [aria-invalid] *') ?? false`)
    .then(Boolean, () => false)

/** Ignores the error of a wait that is no longer needed. */
const stopped = (signal: AbortSignal) => (error: unknown) => {
  if (signal.aborted) return null
  throw error
}
