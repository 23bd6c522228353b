import { html } from 'hono/html'
import { exampleOf, type Schema } from './api-description.ts'
import type { Article, Heading } from './article.ts'
import { endpointAnchor, endpointSection } from './endpoint-section.ts'
import { endpointTitle } from './endpoint-title.ts'
import type { Html } from './guide.ts'
import { jsonText } from './json-text.ts'
import { firstSentence, paragraphs } from './reference-text.ts'
import { type DescribedResource, successOf } from './resources.ts'
import { codeBlock, panelTabs } from './sample-tabs.ts'
import { fieldList, fieldsIn } from './schema-fields.ts'
import type { Site } from './site.ts'

/** Returns the page of a resource in the reference: its fields, then its endpoints. */
export function referencePage(resource: DescribedResource): Article {
  const { title, description, endpoints } = resource
  const schemas = [...resource.objects]
  const headings: Heading[] = [
    ...schemas.map(([name]) => ({ id: objectAnchor(name), title: objectTitle(name) })),
    ...endpoints.map((endpoint) => ({ id: endpointAnchor(endpoint), title: endpointTitle(endpoint) })),
  ]
  return {
    title,
    summary: firstSentence(description) || `${title}: fields and endpoints.`,
    headings,
    is_wide: true,
    body: (site) => body(site, resource, schemas),
  }
}

function body(site: Site, resource: DescribedResource, schemas: readonly (readonly [string, Schema])[]): Html {
  const { description, endpoints } = resource
  const tabs = panelTabs('en')
  const seen = new Set<string>()
  return html`${paragraphs(description)}<ul class="endpoints">${endpoints.map((endpoint) => html`<li><a href="#${endpointAnchor(endpoint)}"><b class="${endpoint.method.toLowerCase()}">${endpoint.method}</b> <code>${endpoint.path}</code></a></li>`)}</ul>${schemas.map(([name, schema]) => objectSection(site, resource, { name, schema, seen }))}${endpoints.map((endpoint) => endpointSection(site, endpoint, { title: endpointTitle(endpoint), tabs, seen }))}`
}

function objectSection(
  site: Site,
  resource: DescribedResource,
  { name, schema, seen }: { readonly name: string; readonly schema: Schema; readonly seen: Set<string> },
): Html {
  const example = resource.endpoints
    .map((endpoint) => successOf(endpoint)?.content)
    .filter((content) => content?.schema?.$ref?.endsWith(`/${name}`))
    .map(exampleOf)
    .find((value) => value !== undefined)
  const text = example === undefined ? undefined : jsonText(example)
  if (text) seen.add(text)
  return html`<section class="pair"><div><h2 id="${objectAnchor(name)}">${objectTitle(name)}</h2>${paragraphs(schema.description ?? '')}${fieldList(site, fieldsIn(schema, false))}</div><div>${text ? codeBlock(objectTitle(name), text) : ''}</div></section>`
}

const objectAnchor = (name: string): string => `object-${name}`

/** `SecureToken` becomes `The secure token object`. */
const objectTitle = (name: string): string => `The ${name.replaceAll(/(?<=[a-z])([A-Z])/g, ' $1').toLowerCase()} object`
