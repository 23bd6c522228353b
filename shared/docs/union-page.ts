import { html } from 'hono/html'
import type { Article } from './article.ts'
import { firstSentence, paragraphs } from './reference-text.ts'
import { fieldList, fieldsIn, labelOf } from './schema-fields.ts'
import type { DescribedUnion } from './shared-objects.ts'

/** Returns the page of a union of objects: the fields of each variant. */
export function unionPage({ title, schema, variants, name }: DescribedUnion): Article {
  const is_request = name.startsWith('New')
  const named = variants.map((variant, at) => ({ variant, label: labelOf(variant) ?? `variant-${at + 1}` }))
  const headings = named.map(({ label }) => ({ id: label, title: label }))
  return {
    title,
    summary: firstSentence(schema.description ?? '') || `The variants of ${title.toLowerCase()} and their fields.`,
    headings,
    body: (site) =>
      html`${paragraphs(schema.description ?? '')}<p id="variants">The field <code>type</code> selects one of these variants.</p>${named.map(({ variant, label }) => html`<h2 id="${label}"><code>${label}</code></h2>${paragraphs(variant.description ?? '')}${fieldList(site, fieldsIn(variant, is_request))}`)}`,
  }
}
