import { html } from 'hono/html'
import { type ErrorCode, error_codes, sentenceOf } from '#shared/domain/errors.ts'
import type { Heading } from './article.ts'
import type { Html } from './guide.ts'
import type { DocsLanguage, Site } from './site.ts'
import { site_texts } from './site-texts.ts'

const heads: Readonly<Record<DocsLanguage, readonly string[]>> = {
  en: ['Code', 'Status', 'Meaning and what to do'],
  ja: ['コード', 'ステータス', '意味と対応（英語）'],
}

/** The entry of the list in the table of contents. Its anchor cannot be an error code. */
export const error_list_headings = (language: DocsLanguage): Heading[] => [
  { id: 'error-codes', title: site_texts[language].error_codes },
]

/** Shows every error code with its status, its meaning and what to do. The anchor of an entry is its code. */
export function errorList(site: Site, language: DocsLanguage): Html {
  const row = (code: ErrorCode) =>
    html`<tr id="${code}"><th scope="row"><code>${code}</code></th><td>${site.statusOf(code)}</td><td lang="en">${sentenceOf(code)}</td></tr>`
  const sorted = error_codes.toSorted((a, b) => site.statusOf(a) - site.statusOf(b))
  return html`<h2 id="error-codes">${site_texts[language].error_codes}</h2><div class="scroll" tabindex="0"><table class="stacked"><thead><tr>${heads[language].map((head) => html`<th scope="col">${head}</th>`)}</tr></thead><tbody>${sorted.map(row)}</tbody></table></div>`
}
