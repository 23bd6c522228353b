import { describe, expect, test } from 'vitest'
import { document } from '#shared/pages/document.ts'
import type { PageShop } from '#shared/pages/html-page.ts'
import { accentStyle, shopName } from '#shared/pages/shop-design.ts'
import { everyPage } from '#test/browser/customer-pages.ts'

const shop: PageShop = { name: 'Tea house', accent_color: '#ff0000', logo_path: '/prod/logos/acc_1/fil_1' }
const pages = Object.entries(everyPage('en'))

describe('shopName', () => {
  test.each([
    ['x', 'x'],
    ['מאפיית הזית', 'מאפיית הזית'],
    ['👩‍🍳 Bakery', '👩‍🍳 Bakery'],
    ['x'.repeat(255), 'x'.repeat(255)],
    ['</bdi><script>x</script>', '&lt;/bdi&gt;&lt;script&gt;x&lt;/script&gt;'],
    ['"><img src=x onerror=x>', '&quot;&gt;&lt;img src=x onerror=x&gt;'],
  ])('isolates and escapes the name %s', (name, shown) => {
    expect(String(shopName(name, { logo_path: null }))).toContain(`<bdi>${shown}</bdi></p>`)
  })

  test.each([
    [60, 'merchant'],
    [61, 'merchant lengthy'],
  ])('shows a name of %i characters in letters of the class %s', (length, classes) => {
    const name = 'x'.repeat(length)
    expect(String(shopName(name, { logo_path: null }))).toBe(`<p class="${classes}"><bdi>${name}</bdi></p>`)
  })

  test('shows the logo at a fixed size, without a name of its own', () => {
    expect(String(shopName('Tea', shop))).toContain('<img src="/prod/logos/acc_1/fil_1" alt="" width="40" height="40">')
  })
})

describe('accentStyle', () => {
  test('sets the colors of light and dark pages', () => {
    expect(accentStyle('#ff0000')).toMatch(
      /^:root\{--accent:#[0-9a-f]{6};--over:#[0-9a-f]{6};--on:#ffffff\}@media \(prefers-color-scheme:dark\)\{:root\{--accent:#[0-9a-f]{6};--over:#[0-9a-f]{6};--on:#0d1330\}\}$/,
    )
  })

  test.each([null, '', 'red', '#FF0000', '#ff0000;}', '#ff0000</style>', '#ff00000'])('is empty for %j', (color) => {
    expect(accentStyle(color)).toBe('')
  })
})

describe('document', () => {
  test.each(pages)('names the merchant and shows the design on the page %s', async (_name, page) => {
    const text = await document(page, 'bm9uY2U', { shop })
    expect(text).toContain(`<title>${page.title} – ${page.merchant_name ?? 'Tea house'}</title>`)
    expect(text).toContain(`<bdi>${page.merchant_name ?? 'Tea house'}</bdi>`)
    expect(text).toContain(accentStyle('#ff0000'))
    expect(text.match(/<style/g)).toHaveLength(1)
  })

  test('names the merchant as the record on the page does', async () => {
    const text = await document({ ...pages[0]![1], merchant_name: 'Tea <old>' }, 'bm9uY2U', { shop })
    expect(text).toContain('<bdi>Tea &lt;old&gt;</bdi>')
    expect(text).not.toContain('Tea house')
  })
})
