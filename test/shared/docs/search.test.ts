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

  test('ranks parts by how many words of the query they have, whatever their case and width', async () => {
    expect((await places('HOW refund'))[0]).toBe('b#refund')
    expect((await places('ｒｅｆｕｎｄ stands'))[0]).toBe('a')
    expect((await places('refund unknown'))[0]).toBe('c')
    expect(await places('unknown things')).toEqual([])
  })

  test('finds the singular and the plural of a word, but no word inside of another', async () => {
    expect(await places('pages')).toEqual(await places('page'))
    expect(await places('fund')).toEqual([])
    expect(await places('pire')).toEqual([])
  })

  test('finds no word inside of an id or a URL', async () => {
    const ids = searchOver(plain, [
      entry('g', 'Ids', html`<p>pay_01q4hk43103d56v206t89rhpj23 and https://shop.example.com/3d are text.</p>`),
    ])
    expect(await ids('3d', 'en')).toEqual([])
    expect(await ids('shop', 'en')).toEqual([])
    expect((await ids('text', 'en'))[0]!.excerpt).toContain('https://shop.example.com/3d')
  })

  test('finds a Japanese compound by its words, if no page has the compound', async () => {
    expect(await places('全額返金', 'ja')).toEqual(['d'])
    expect(await places('決済の返金', 'ja')).toEqual(['d', 'd#cash'])
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
    expect((await places('refund stands'))[0]).toBe('a')
    expect(await places('refund'.padEnd(200, ' ').concat('unknown'))).toEqual(['c', 'b#refund', 'a'])
  })

  test.each(['.*', '(', '[a', '\\', '$&', '\u0000', '__proto__'])('takes %j as text', async (query) => {
    expect(await places(query)).toEqual([])
  })

  test('counts a repeated word of a query once', async () => {
    expect(await places('refund '.repeat(14))).toEqual(await places('refund'))
  })

  test('shows no reader the host that another reader addressed', async () => {
    await search({ ...plain, base_url: 'http://first.example' }, 'refund', 'en')
    const hits = await search({ ...plain, base_url: 'http://second.example' }, 'curl', 'en')
    const hosts = new Set(hits.flatMap(({ text }) => text.match(/https?:\/\/[^/\s]+(?=\/api\/v1)/g) ?? []))
    expect([...hosts]).toEqual(['https://api.example.com'])
  })

  const firstOf = async (query: string, language: DocsLanguage) => {
    const [hit] = await search(plain, query, language)
    return hit && [hit.entry.language, [hit.entry.page, hit.anchor].filter((part) => part !== undefined).join('#')]
  }

  test.each<[query: string, page: string]>([
    ['3d secure', 'cards'],
    ['3-D Secure', 'cards'],
    ['3DS', 'cards'],
    ['429', 'errors#rate_limited'],
    ['card_expired', 'errors#card_expired'],
    ['subscription.suspended', 'events#subscription.suspended'],
    ['POST /payments/{id}/capture', 'reference/payments#post-payments-id-capture'],
    ['webhooks', 'webhooks'],
    ['webhook retry', 'webhooks#retries'],
    ['rotate secret X-Service-Signature', 'webhooks#rotate'],
    ['konbini', 'cash'],
    ['refund', 'refunds'],
    ['session', 'sessions'],
    ['go live', 'live'],
    ['idempotency key', 'idempotency'],
    ['test card', 'testing#cards'],
    ['timeout', 'idempotency#unknown'],
    ['dispute', 'events#payment.marked.as.fraud'],
    ['cancel subscription', 'subscriptions#end'],
    ['update card', 'subscriptions#replace-a-card'],
    ['pagination', 'reference#lists'],
    ['metadata limit', 'reference#metadata'],
    ['timezone', 'reference#amounts-and-times'],
    ['sdk', 'reference#client'],
    ['client', 'reference#client'],
    ['openapi', 'reference#client'],
  ])('for %s leads to %s first', async (query, page) => {
    expect(await firstOf(query, 'en')).toEqual(['en', page])
  })

  test.each<[query: string, page: string]>([
    ['テストカード', 'testing#cards'],
    ['コンビニ決済', 'cash'],
    ['定期課金', 'subscriptions'],
    ['決済の返金', 'refunds'],
    ['払い戻し', 'refunds'],
    ['サブスクリプションの解約', 'subscriptions#end'],
    ['カード情報を更新する', 'subscriptions#replace-a-card'],
    ['3Dセキュア', 'cards'],
    ['webhookの再送', 'webhooks#retries'],
    ['エラー', 'errors'],
  ])('for %s leads to %s in Japanese first', async (query, page) => {
    expect(await firstOf(query, 'ja')).toEqual(['ja', page])
  })

  test('finds the samples in a language by its name', async () => {
    const hits = await search(plain, 'python', 'en')
    expect(hits.length).toBeGreaterThan(0)
    for (const { entry } of hits) expect(String(await entry.article.body(plain))).toContain('<pre data-of="python"')
  })

  test('lists the section about 3-D Secure for every spelling of it', async () => {
    for (const query of ['3d secure', '3-D Secure', '3DS', '3Dセキュア'])
      expect((await search(plain, query, 'en')).map(({ entry: { page }, anchor }) => `${page}#${anchor}`)).toContain(
        'cards#3d-secure',
      )
  })
})
