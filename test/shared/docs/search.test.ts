import { html } from 'hono/html'
import { describe, expect, test } from 'vitest'
import type { Entry } from '#shared/docs/article.ts'
import { search, searchOver } from '#shared/docs/search.ts'
import { type DocsLanguage, docs_languages } from '#shared/docs/site.ts'
import { plain } from './site.ts'

const entry = (page: string, title: string, body: ReturnType<typeof html>, language: DocsLanguage = 'en'): Entry => ({
  page,
  language,
  languages: docs_languages,
  article: { title, summary: `About ${page}.`, headings: [], body: () => body },
})

const find = searchOver(plain, [
  entry('a', 'Something else', html`<p>The word refund stands in the text.</p>`),
  entry('b', 'Another page', html`<p>Text.</p><h2 id="refund">How to refund</h2><p>More text.</p>`),
  entry('c', 'Refund', html`<p>Text &amp; <code>refund</code>.</p><h2 id="x">A heading</h2><p>Nothing.</p>`),
  entry(
    'd',
    '返金する',
    html`<p>決済の全額または一部を返金します。</p><h2 id="cash">現金</h2><p>コンビニ決済。</p>`,
    'ja',
  ),
  entry(
    'e',
    'List',
    html`<table><tr id="card_expired"><th scope="row"><code>card_expired</code></th><td>The card has expired.</td></tr></table>`,
  ),
])

const places = async (query: string, language: DocsLanguage = 'en') =>
  (await find(query, language)).map(({ entry: { page }, anchor }) => (anchor ? `${page}#${anchor}` : page))

describe('a search', () => {
  test('ranks a title before a heading, and a heading before text', async () => {
    expect(await places('refund')).toEqual(['c', 'b#refund', 'a'])
  })

  test('finds parts with every word only, whatever their case and width', async () => {
    expect(await places('HOW refund')).toEqual(['b#refund'])
    expect(await places('ｒｅｆｕｎｄ stands')).toEqual(['a'])
    expect(await places('refund unknown')).toEqual([])
  })

  test('finds Japanese words inside a sentence without spaces', async () => {
    expect(await places('返金', 'ja')).toEqual(['d'])
    expect(await places('コンビニ', 'ja')).toEqual(['d#cash'])
    expect(await places('ｺﾝﾋﾞﾆ', 'en')).toEqual(['d#cash'])
  })

  test('finds the rows of a table by their anchor', async () => {
    expect(await places('card_expired')).toEqual(['e#card_expired'])
  })

  test('shows a section in the language of the reader, and its translation as no second result', async () => {
    const both = searchOver(plain, [
      entry('f', 'Webhooks', html`<h2 id="retries">Webhook retries</h2>`),
      entry('f', 'Webhook', html`<h2 id="retries">Webhookの再送</h2>`, 'ja'),
    ])
    const languages = async (language: DocsLanguage) =>
      (await both('webhook', language)).map(({ entry: { language }, anchor }) => [language, anchor])
    expect(await languages('ja')).toEqual([
      ['ja', undefined],
      ['ja', 'retries'],
    ])
    expect((await languages('en')).map(([language]) => language)).toEqual(['en', 'en'])
  })

  test('shows the text around the match without markup', async () => {
    const [hit] = await find('text refund', 'en')
    expect(hit!.excerpt).toBe('About c. Text & refund.')
  })

  test('finds nothing for a query without words, and reads only the beginning of a long one', async () => {
    expect(await places('')).toEqual([])
    expect(await places('   ')).toEqual([])
    expect(await places(`refund stands ${'x'.repeat(0)}`)).toEqual(['a'])
    expect(await places('refund'.padEnd(200, ' ').concat('unknown'))).toEqual(['c', 'b#refund', 'a'])
  })

  test.each(['.*', '(', '[a', '\\', '$&', '\u0000', '__proto__'])('takes %j as text', async (query) => {
    expect(await places(query)).toEqual([])
  })

  test('of the whole documentation leads a developer to the right page first', async () => {
    const first = async (query: string) => {
      const [hit] = await search(plain, query, 'en')
      return hit && [hit.entry.page, hit.anchor].filter((part) => part !== undefined).join('#')
    }
    expect(await first('card_expired')).toBe('errors#card_expired')
    expect(await first('subscription.suspended')).toBe('events#subscription.suspended')
    expect(await first('webhooks')).toMatch(/^(webhooks|reference\/webhooks)/)
    expect(await first('POST /payments/{id}/capture')).toBe('reference/payments#post-payments-id-capture')
  })
})
