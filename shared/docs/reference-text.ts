import { html } from 'hono/html'
import type { Html } from './guide.ts'

/** Shows a text with a paragraph for each block that an empty line ends. */
export const paragraphs = (text: string): Html =>
  html`${text
    .split(/\n\s*\n/)
    .filter((block) => block.trim() !== '')
    .map((block) => html`<p>${withCode(block)}</p>`)}`

/** Shows what stands between backticks as code. */
export const withCode = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** Returns the first sentence of a text. */
export const firstSentence = (text: string): string =>
  /^.*?\.(?=\s|$)/s.exec(text)?.[0].replaceAll(/[`\s]+/g, ' ') ?? text
