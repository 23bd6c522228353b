import { html, raw } from 'hono/html'
import type { Html } from './guide.ts'
import { type Sample, sample_languages } from './sample.ts'
import type { DocsLanguage } from './site.ts'
import { site_texts } from './site-texts.ts'

/** A program or a message of a sample, with the name of its tab. */
export interface Panel {
  readonly id: string
  readonly name: string
  readonly text: string
}

const names: Readonly<Record<(typeof sample_languages)[number], string>> = {
  shell: 'curl',
  typescript: 'TypeScript',
  python: 'Python',
  go: 'Go',
  php: 'PHP',
  ruby: 'Ruby',
}

/**
 * Returns a function that shows the samples of one page. The tabs of a sample are radio buttons, so they work without
 * script, and their names are numbered within the page.
 */
export function sampleTabs(language: DocsLanguage) {
  const panels = panelTabs(language)
  return (sample: Sample, base_url: string): Html => panels(panelsOf(sample, base_url))
}

/** Returns the panels of a sample in the order of its languages, with the base URL of the reader. */
export const panelsOf = (sample: Sample, base_url: string): Panel[] =>
  sample_languages.flatMap((id) => {
    const text = sample[id]
    return text === undefined ? [] : [{ id, name: names[id], text: text.replaceAll('{base_url}', base_url) }]
  })

/** Returns a function that shows panels as tabs. It numbers the groups of tabs within a page. */
export function panelTabs(language: DocsLanguage) {
  let shown = 0
  return (panels: readonly Panel[]): Html => {
    const group = `s${++shown}`
    const tab = ({ id, name }: Panel, at: number) =>
      html`<label><input type="radio" name="${group}" value="${id}"${at === 0 ? html` checked` : ''}>${name}</label>`
    return html`<div class="sample"><fieldset><legend class="unseen">${site_texts[language].sample}</legend>${panels.map(tab)}</fieldset>${panels.map(({ id, text }) => html`<pre data-of="${id}" tabindex="0"><code>${codeText(text)}</code></pre>`)}</div>`
  }
}

/** Shows a message or an answer under a title, in a block of its own. */
export const codeBlock = (title: string, text: string): Html =>
  html`<div class="sample"><p class="title">${title}</p><pre tabindex="0"><code>${codeText(text)}</code></pre></div>`

/** Escapes what markup would read. Quotation marks stay: escaped, they would take a fifth of a page. */
const codeText = (text: string): Html =>
  raw(text.trimEnd().replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'))
