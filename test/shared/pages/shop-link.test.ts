import { describe, expect, test } from 'vitest'
import { shopAddress, shopLink, webAddress } from '#shared/pages/shop-link.ts'
import { texts } from '#shared/pages/texts/texts.ts'

describe('shopLink', () => {
  test('leads to the web page of a shop, and shows no host', () => {
    const link = String(shopLink('https://shop.example/done?a=1&b=2', 'en'))
    expect(link).toContain('href="https://shop.example/done?a=1&amp;b=2"')
    expect(link).toContain(`>${texts.en.back_to_shop}</a>`)
    expect(link.match(/shop\.example/g)).toHaveLength(1)
  })

  test('leads to an app, and escapes its link', () => {
    const link = String(shopLink('myapp://done?a=1&b="><script>', 'en'))
    expect(link).toContain(texts.en.back_to_app)
    expect(link).toMatch(/href="myapp:\/\/done\?a=1&amp;b=[^"<>]*"/)
    expect(link).not.toContain('<script>')
  })

  test.each([
    'javascript:alert(1)',
    'javascript://%0aalert(1)',
    'data:text/html,x',
    'intent://x',
    'myapp:x',
    '/x',
    '',
    null,
  ])('is null for %s', (url) => {
    expect(shopLink(url, 'en')).toBeNull()
    expect(shopAddress(url)).toBeNull()
  })

  test('webAddress is null for an app', () => {
    expect(webAddress('myapp://done')).toBeNull()
    expect(shopAddress('myapp://done')?.href).toBe('myapp://done')
  })
})
