import { describe, expect, test } from 'vitest'
import { document } from '#shared/pages/document.ts'
import { pageIcon } from '#shared/pages/page-icon.ts'
import { everyPage } from '#test/browser/customer-pages.ts'

const [page] = Object.values(everyPage('en'))
const iconsOf = (text: string) => Array.from(text.matchAll(/<link rel="icon" href="([^"]*)">/g), ([, href]) => href!)

describe('pageIcon', () => {
  test('is the logo of the shop', async () => {
    const shop = { name: 'Tea house', accent_color: null, logo_path: '/prod/logos/acc_1/fil_1' }
    expect(iconsOf(await document(page!, 'bm9uY2U', { shop }))).toEqual(['/prod/logos/acc_1/fil_1'])
  })

  test('is a drawing inside the page if the shop has no logo, or if the page names no shop', async () => {
    const shop = { name: 'Tea house', accent_color: null, logo_path: null }
    for (const frame of [{ shop }, {}]) {
      const [icon, ...others] = iconsOf(await document(page!, 'bm9uY2U', frame))
      expect(others).toEqual([])
      const answer = await fetch(icon!)
      expect(answer.headers.get('content-type')).toBe('image/svg+xml')
      expect(await answer.text()).toMatch(/^<svg xmlns='http:\/\/www\.w3\.org\/2000\/svg' [^#]*#4f6bed.*<\/svg>$/)
    }
  })

  test('escapes the path of the logo', () => {
    expect(String(pageIcon({ logo_path: '/x"><b>' }))).toBe('<link rel="icon" href="/x&quot;&gt;&lt;b&gt;">')
  })
})
