import { describe, expect, test } from 'vitest'
import { locales } from '#shared/domain/session.ts'
import { document } from '#shared/pages/document.ts'
import { texts } from '#shared/pages/texts/texts.ts'
import { everyPage, tagsOf, valuesOf } from '#test/browser/customer-pages.ts'

const NONCE = 'bm9uY2U'
const HEAVIEST_BYTES = 45 * 1024

const pages = locales.flatMap((locale) =>
  Object.entries(everyPage(locale)).map(([name, page]) => [locale, name, page] as const),
)

const payloads = [
  '<script>__xss()</script>',
  '"><img src=x onerror=__xss()>',
  "' autofocus onfocus='__xss()",
  '" autofocus onfocus="__xss()',
  '</title><script>__xss()</script>',
  '</style><svg onload=__xss()>',
  '<!--<script>',
  '&lt;script&gt;__xss()&lt;/script&gt;',
  'javascript:__xss()',
  '{{__xss()}}#{__xss()}`',
  '</main></body><base href=//evil.example>',
  '\u2028<a href="data:text/html,x">\u0000',
]

const hostile_urls = [
  'javascript:__xss()',
  ' javascript:__xss()',
  'java\nscript:__xss()',
  'data:text/html,<script>__xss()</script>',
  'vbscript:x',
  '//evil.example/',
  'not a url',
]

const withoutIcon = (text: string): string => text.replace(/<link rel="icon"[^>]*>/, '')

describe('document', () => {
  test.each(pages)('%s %s is complete, small and within its content security policy', async (locale, _name, page) => {
    const text = await document(page, NONCE)
    expect(text).toMatch(/^<!doctype html>\n<html lang="(ja|en|ko)">/)
    expect(valuesOf(text, 'lang')[0]).toBe(locale)
    expect(text).toContain(`<title>${page.title}</title>`)
    expect(Buffer.byteLength(text)).toBeLessThan(HEAVIEST_BYTES)
    const tags = tagsOf(text.replace(/<(style|script)[^>]*>[\s\S]*?<\/\1>/g, '<$1 nonce="">'))
    expect(tags.filter((tag) => /^<(style|script)/.test(tag))).toEqual(['<style nonce="">', '<script nonce="">'])
    expect(valuesOf(text, 'nonce')).toEqual([NONCE, NONCE])
    expect(tags.filter((tag) => /\s(style|on\w+|src|srcset|srcdoc|formaction)=/i.test(tag))).toEqual([])
    expect(text.match(/<link\b[^>]*>/g)).toEqual([expect.stringMatching(/^<link rel="icon" href="data:image/)])
    expect(tags.filter((tag) => /^<(img|iframe|object|embed|base|input type="image")/.test(tag))).toEqual([])
    expect(tags.filter((tag) => /^<h1/.test(tag))).toHaveLength(1)
  })

  test('adds the style and the script of a page after those of every page', async () => {
    const [page] = Object.values(everyPage('en'))
    const text = await document({ ...page!, style: '.own{top:0}', script: 'own()' }, NONCE)
    expect(text).toMatch(/<style nonce="bm9uY2U">[^<]*\.own\{top:0\}<\/style>/)
    expect(text).toMatch(/own\(\)<\/script>/)
  })

  test('leaves the rules for outcomes and instructions out of a page on which the customer pays', async () => {
    const { session, completed } = everyPage('en')
    expect(await document(session!, NONCE)).not.toContain('.notice{')
    expect(await document(completed!, NONCE)).toContain('.notice{')
  })

  test.each(locales)('in %s says that the connection is encrypted only if it is', async (locale) => {
    const page = everyPage(locale)
    const [first] = Object.values(page)
    expect(await document(first!, NONCE, { is_encrypted: true })).toContain(texts[locale].encrypted)
    expect(await document(first!, NONCE, { is_encrypted: false })).not.toContain(texts[locale].encrypted)
  })

  test.each(pages)('%s %s refers to ids that exist, each of them once', async (_locale, _name, page) => {
    const text = await document(page, NONCE)
    const ids = valuesOf(text, 'id')
    expect(new Set(ids).size).toBe(ids.length)
    const named = ['for', 'aria-describedby', 'aria-labelledby'].flatMap((attribute) => valuesOf(text, attribute))
    const linked = valuesOf(text, 'href').filter((href) => href.startsWith('#'))
    const wanted = [...named.flatMap((value) => value.split(' ')), ...linked.map((href) => href.slice(1))]
    expect(wanted.filter((id) => !ids.includes(id))).toEqual([])
  })

  test.each(pages)('%s %s links only to its own pages and to the shop', async (_locale, _name, page) => {
    const text = await document(page, NONCE)
    const all = [...valuesOf(withoutIcon(text), 'href'), ...valuesOf(text, 'action')]
    const elsewhere = all.filter((url) => !/^[?#.]/.test(url))
    const origins = new Set(elsewhere.map((url) => new URL(url).origin))
    expect([...origins].filter((it) => !['https://shop.example', 'https://pages.example'].includes(it))).toEqual([])
  })

  test.each(payloads)('renders %j as text in every field', async (payload) => {
    const plain = everyPage('en')
    for (const [name, page] of Object.entries(everyPage('en', payload))) {
      const text = await document(page, NONCE)
      expect({ name, tags: tagsOf(text) }).toEqual({ name, tags: tagsOf(await document(plain[name]!, NONCE)) })
      expect(text).not.toMatch(/\s(?:href|action|content)="[^"]*javascript:/i)
    }
  })

  test.each(hostile_urls)('does not link or redirect to a shop at %j', async (url) => {
    for (const page of Object.values(everyPage('en', 'word', url))) {
      const text = await document(page, NONCE)
      expect(text).not.toContain('http-equiv')
      const hrefs = valuesOf(withoutIcon(text), 'href').filter(
        (href) => !/^(\?locale=|#|https:\/\/pages\.example\/)/.test(href),
      )
      expect(hrefs).toEqual([])
    }
  })

  test('escapes the URL of the shop in the redirect', async () => {
    const url = 'https://shop.example/?a="><script>__xss()</script>&b=1;url=javascript:x'
    const text = await document(everyPage('en', 'word', url).completed!, NONCE)
    const [refresh] = valuesOf(text, 'content').filter((value) => value.startsWith('0;url='))
    expect(refresh).toBe(
      '0;url=https://shop.example/?a=%22%3E%3Cscript%3E__xss()%3C/script%3E&amp;b=1;url=javascript:x',
    )
  })

  test('offers every language, and marks the current one', async () => {
    for (const locale of locales) {
      const text = await document(everyPage(locale).session!, NONCE)
      expect(valuesOf(withoutIcon(text), 'href').slice(0, 3)).toEqual(['?locale=ja', '?locale=en', '?locale=ko'])
      expect(text).toContain(`hreflang="${locale}" aria-current="true"`)
      expect(valuesOf(text, 'aria-current')).toHaveLength(1)
    }
  })
})
