import type { DocsLanguage } from './site.ts'

/** The texts around the articles, in each language. */
export interface SiteTexts {
  readonly product: string
  readonly docs: string
  readonly skip: string
  readonly menu: string
  readonly search: string
  readonly search_hint: string
  readonly results: (count: number, query: string) => string
  readonly no_results: (query: string) => string
  readonly search_help: string
  readonly on_this_page: string
  readonly languages: string
  readonly reference: string
  readonly overview: string
  readonly application: string
  readonly lists: string
  readonly events: string
  readonly retries: string
  readonly error_codes: string
  readonly changelog: string
  readonly next: string
  readonly previous: string
  readonly neighbours: string
  readonly copy: string
  readonly copied: string
  readonly not_found: string
  readonly not_found_text: string
  readonly groups: Readonly<Record<'begin' | 'payments' | 'reliability' | 'grow', string>>
  readonly footer: string
  readonly description: string
  readonly sample: string
}

/** The texts of each language. */
export const site_texts: Readonly<Record<DocsLanguage, SiteTexts>> = {
  en: {
    product: 'Payment service',
    docs: 'Docs',
    skip: 'Skip to content',
    menu: 'Menu',
    search: 'Search',
    search_hint: 'Search the docs',
    results: (count, query) => (count === 1 ? `1 result for “${query}”` : `${count} results for “${query}”`),
    no_results: (query) => `Nothing matches “${query}”.`,
    search_help: 'Search for a field, an error code, an event type, a path such as /payments, or a word of a guide.',
    on_this_page: 'On this page',
    languages: 'Language',
    reference: 'API reference',
    overview: 'Overview',
    application: 'Live application',
    lists: 'Events and changes',
    events: 'Event catalogue',
    retries: 'Retry schedule',
    error_codes: 'Error codes',
    changelog: 'Changelog',
    next: 'Next',
    previous: 'Previous',
    neighbours: 'Previous and next page',
    copy: 'Copy',
    copied: 'Copied',
    not_found: 'Page not found',
    not_found_text: 'This page does not exist. Search the documentation, or use the menu.',
    groups: {
      begin: 'Get started',
      payments: 'Take payments',
      reliability: 'Build reliably',
      grow: 'Platforms',
    },
    footer: 'For tools, the same API is described in OpenAPI 3.1: ',
    description: 'API description',
    sample: 'Language of the sample',
  },
  ja: {
    product: 'Payment service',
    docs: 'ドキュメント',
    skip: '本文へ移動',
    menu: 'メニュー',
    search: '検索',
    search_hint: 'ドキュメントを検索',
    results: (count, query) => `「${query}」の検索結果：${count}件`,
    no_results: (query) => `「${query}」に一致する項目はありません。`,
    search_help: 'フィールド名、エラーコード、イベントタイプ、「/payments」のようなパス、ガイドの語句で検索できます。',
    on_this_page: 'このページの内容',
    languages: '言語',
    reference: 'APIリファレンス',
    overview: '概要',
    application: '本番利用の申請',
    lists: 'イベントと変更履歴',
    events: 'イベント一覧',
    retries: '再試行のスケジュール',
    error_codes: 'エラーコード',
    changelog: '変更履歴',
    next: '次へ',
    previous: '前へ',
    neighbours: '前後のページ',
    copy: 'コピー',
    copied: 'コピーしました',
    not_found: 'ページが見つかりません',
    not_found_text: 'このページは存在しません。検索するか、メニューからお探しください。',
    groups: {
      begin: 'はじめに',
      payments: '決済を受け付ける',
      reliability: '信頼性を高める',
      grow: 'プラットフォーム',
    },
    footer: 'ツール向けに、同じAPIをOpenAPI 3.1形式でも記述しています：',
    description: 'API定義',
    sample: 'サンプルの言語',
  },
}
