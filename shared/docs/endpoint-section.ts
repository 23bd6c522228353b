import { html } from 'hono/html'
import { type Content, type Parameter, resolved, type Schema } from './api-description.ts'
import { commonCodes, refusedCodes } from './endpoint-errors.ts'
import { answerExample, bodyOf, samplesOf, takesPublishable } from './endpoint-samples.ts'
import type { Html } from './guide.ts'
import { errorLink } from './guide-parts.ts'
import { paragraphs } from './reference-text.ts'
import { type DescribedEndpoint, isList, successOf } from './resources.ts'
import type { Panel } from './sample-tabs.ts'
import { type Field, fieldList, fieldsIn } from './schema-fields.ts'
import { placeOf } from './shared-objects.ts'
import { pathTo, type Site } from './site.ts'

/** What the sections of a page share. */
export interface PageState {
  readonly title: string
  readonly tabs: (panels: readonly Panel[]) => Html
  /** The examples that the page has shown. An example is shown once, because a page has a limit of bytes. */
  readonly seen: Set<string>
}

/** Returns the anchor of an endpoint, such as `post-payments-id-refund`. */
export const endpointAnchor = ({ method, path }: DescribedEndpoint): string =>
  `${method}${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9_]+/g, '-')
    .replace(/-$/, '')

/** Shows an endpoint: what it does, keys, parameters, answers and refusals, beside samples. */
export function endpointSection(site: Site, endpoint: DescribedEndpoint, state: PageState): Html {
  const { method, path, operation, parameters } = endpoint
  const own = (place: Parameter['in']) => parameters.filter((parameter) => parameter.in === place)
  const content = bodyOf(operation.requestBody)
  return html`<section class="pair"><div><h2 id="${endpointAnchor(endpoint)}">${state.title}</h2><p class="route"><b class="${method.toLowerCase()}">${method}</b> <code>/api/v1${path}</code></p>${paragraphs(operation.description ?? '')}<p class="facts">${keysOf(endpoint)}</p>${titled(site, 'Path parameters', parameterFields(own('path')))}${titled(site, 'Query parameters', parameterFields(own('query')))}${titled(site, 'Body', bodyFields(content?.[1]))}${answers(site, endpoint)}${refusals(site, endpoint)}</div><div>${state.tabs(samplesOf(site, endpoint))}${answerExample(endpoint, state.seen)}</div></section>`
}

const titled = (site: Site, title: string, fields: readonly Field[]): Html | '' =>
  fields.length === 0 ? '' : html`<h3>${title}</h3>${fieldList(site, fields)}`

const parameterFields = (parameters: readonly Parameter[]): Field[] =>
  parameters.map(({ name, schema = {}, description, required = false }) => ({
    name,
    schema,
    description,
    is_required: required,
  }))

const bodyFields = (content: Content | undefined): Field[] => (content?.schema ? fieldsIn(content.schema, true) : [])

/** Names the keys that an endpoint accepts. */
const keysOf = (endpoint: DescribedEndpoint): string =>
  takesPublishable(endpoint) ? 'Secret key, or publishable key in a browser.' : 'Secret key.'

/** Says what an endpoint responds with, and leads to the description of the object. */
function answers(site: Site, endpoint: DescribedEndpoint): Html | '' {
  const success = successOf(endpoint)
  const schema = success?.content?.schema
  if (!success || !schema) return ''
  const found = resolved<Schema>(schema)
  const object = isList(found) ? (found.properties?.data?.items ?? {}) : schema
  const place = placeOf(object)
  const link = place ? html`<a href="${pathTo(site, place.page, 'en', place.anchor)}">${place.name}</a>` : 'an object'
  return html`<p class="facts">Returns ${success.status} with ${isList(found) ? 'a page of a list of ' : ''}${link}.</p>`
}

/** Lists the error codes of an endpoint, each as a link to its meaning. */
function refusals(site: Site, endpoint: DescribedEndpoint): Html | '' {
  const codes = refusedCodes(endpoint)
  if (codes.length === 0) return ''
  const own = codes.filter((code) => !commonCodes().includes(code))
  const common = pathTo(site, 'reference', 'en', 'common-errors')
  return html`<h3>Errors</h3><p class="codes">${own.map((code) => html`${errorLink(site, code)} `)}<a href="${common}">${own.length > 0 ? 'and those of every endpoint' : 'Those of every endpoint'}</a></p>`
}
