import { mkdirSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { entries } from '#shared/docs/entries.ts'
import { pathTo } from '#shared/docs/site.ts'
import { locales } from '#shared/domain/session.ts'
import { openLiveCheckout } from '#test/browser/browser-checkout.ts'
import { openFonts } from '#test/browser/browser-fonts.ts'
import { launchBrowser } from '#test/browser/browser-launch.ts'
import { scenes } from '#test/browser/browser-scenes.ts'
import { desktop, openTab, phone } from '#test/browser/browser-tab.ts'
import { openApi } from '#test/fixtures/api.ts'

/*
 * Takes a screenshot of every page in every state and language, on a phone and on a desktop, into `.screenshots`. With
 * an argument, it takes only the pages whose name contains the argument.
 */

const folder = fileURLToPath(new URL('../../.screenshots/', import.meta.url))
const wanted = process.argv[2] ?? ''

/** The looks of each screenshot. */
const looks = [
  { look: 'phone', viewport: phone, scheme: 'light' },
  { look: 'phone-dark', viewport: phone, scheme: 'dark' },
  { look: 'desktop', viewport: desktop, scheme: 'light' },
] as const

const dark_desktop = { look: 'desktop-dark', viewport: desktop, scheme: 'dark' } as const

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder)
const fonts = await openFonts()
const browser = await launchBrowser(fonts.config)
let taken = 0
for (const locale of locales) {
  const checkout = await openLiveCheckout()
  const tab = await openTab(browser)
  await tab.visit('about:blank')
  for (const { name, enter } of scenes(checkout, locale).filter((scene) => scene.name.includes(wanted))) {
    for (const shown of [phone, desktop]) {
      // A page that changes from a phone to a desktop is loaded again, and would lose what was typed and its messages.
      await tab.page.setViewport(shown)
      await enter(tab)
      for (const { look, viewport, scheme } of looks) {
        if (viewport !== shown || (look === 'phone-dark' && locale !== 'ja')) continue
        await tab.page.emulateMediaFeatures([
          { name: 'prefers-reduced-motion', value: 'reduce' },
          { name: 'prefers-color-scheme', value: scheme },
        ])
        await tab.page.screenshot({ path: `${folder}${name}.${look}.${locale}.png`, fullPage: true })
        taken += 1
      }
    }
  }
  await tab.close()
  await checkout.close()
}
taken += await takeDocumentation()
await browser.close()
fonts.remove()
console.log(`${taken} screenshots are in ${folder}`)

/** Takes the pages of the documentation, in both colour schemes. */
async function takeDocumentation(): Promise<number> {
  const api = await openApi()
  const site = { base_url: api.url, statusOf: () => 400 }
  const tab = await openTab(browser)
  const shown = entries().flatMap(({ page, language }) => {
    const name = `docs-${page.replaceAll('/', '-') || 'start'}`
    return name.includes(wanted) ? [{ name, language, url: api.url + pathTo(site, page, language) }] : []
  })
  for (const { name, language, url } of shown) {
    await tab.visit(url)
    for (const { look, viewport, scheme } of [...looks, dark_desktop]) {
      await tab.page.setViewport(viewport)
      await tab.page.emulateMediaFeatures([
        { name: 'prefers-reduced-motion', value: 'reduce' },
        { name: 'prefers-color-scheme', value: scheme },
      ])
      await tab.page.screenshot({ path: `${folder}${name}.${look}.${language}.png`, fullPage: true })
    }
  }
  await tab.close()
  await api.close()
  return shown.length * (looks.length + 1)
}
