import type { Locale } from '#shared/domain/session.ts'
import { document } from '#shared/pages/document.ts'
import { problemPage } from '#shared/pages/problem-page.ts'
import { send_texts } from '#shared/pages/texts/send-texts.ts'
import type { Problem } from '#shared/pages/texts/text-types.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { type Checkout, fillCard } from './browser-checkout.ts'
import { useNetwork } from './browser-network.ts'
import { type Scene, scene } from './browser-scene.ts'
import type { Tab } from './browser-tab.ts'

/** Skips the long waits of a page, after which it would check the outcome. axe needs the short ones. */
const NO_CHECKS = `{
const wait = setTimeout
window.setTimeout = (act, ms = 0) => ms < 1000 ? wait(act, ms) : 0
}`

/** Pages of sessions whose customer has a bad connection. They need a tab with JavaScript. */
export function lostConnections({ newSession }: Checkout, locale: Locale): Scene[] {
  const { unknown, busy, unpaid, offline } = send_texts[locale].notices.payment
  const opened = async (tab: Tab) => {
    await tab.visit((await newSession({ default_locale: locale })).session_url)
    await fillCard(tab, {}, locale)
  }
  const press = async (tab: Tab, said: string) => {
    await tab.page.click('main form .button')
    await tab.page.waitForFunction(`document.querySelector('.alert')?.textContent.includes(${JSON.stringify(said)})`)
  }
  const answered = (name: string, status: number | null, said: string): Scene => ({
    name,
    async enter(tab) {
      const network = await useNetwork(tab)
      await opened(tab)
      network.fateOf = (request) => (request.method() !== 'POST' ? 'passes' : status === null ? 'lost' : { status })
      if (said !== unpaid.title) await tab.page.evaluate(NO_CHECKS)
      await press(tab, said)
      await network.close()
      tab.complaints.length = 0
    },
  })
  const withoutConnection: Scene = {
    name: 'session-offline',
    async enter(tab) {
      await opened(tab)
      await tab.page.setOfflineMode(true)
      await press(tab, offline.title)
      await tab.page.setOfflineMode(false)
    },
  }
  return [
    answered('session-outcome-unknown', null, unknown.title),
    answered('session-busy', 429, busy.title),
    answered('session-not-sent', null, unpaid.title),
    withoutConnection,
  ]
}

/** Pages of problems: one of the service, and all others as the service would show them. */
export function problems({ api }: Checkout, locale: Locale): Scene[] {
  const shop = { name: 'Test shop', accent_color: null, logo_path: null }
  const drawn = (problem: Problem): Scene => ({
    name: `problem-${problem}`,
    async enter(tab) {
      const page = problemPage({ locale, problem, request_id: 'req_0123456789', again_url: '?again' })
      // The content security policy of the page that is open would block the style.
      await tab.visit('about:blank')
      await tab.page.setContent(await document(page, 'bm9uY2U', { shop, is_encrypted: true }))
    },
  })
  const others = (Object.keys(texts[locale].problems) as Problem[]).filter((problem) => problem !== 'not_found')
  return [
    scene('not-found', async () => `${api.url}/pages/sessions/${api.test.id}/nothing`, locale),
    ...others.map(drawn),
  ]
}
